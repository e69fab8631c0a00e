extension JobEnding {
    /// For lists, instead of `done`.
    package var state: String {
        switch self {
        case .completed: "completed"
        case .rolledBack: "rolled back"
        case .unknown: "ended, outcome unknown"
        }
    }

    /// Behind the name of the job, instead of `is done`.
    package var sentence: String {
        switch self {
        case .completed: "was completed"
        case .rolledBack: "was rolled back"
        case .unknown: "has ended; the outcome is unknown"
        }
    }
}
