/// How a change of an account ended that a later run looked after: it was not done there, only completed or undone.
enum JobEnding: String, Codable, Sendable {
    /// It had been decided, and is in place.
    case completed
    /// It had not been decided: the account is as it was before.
    case rolledBack
    /// The account is intact, but whether the change is in it cannot be told.
    case unknown

    /// For lists, instead of `done`.
    var state: String {
        switch self {
        case .completed: "completed"
        case .rolledBack: "rolled back"
        case .unknown: "ended, outcome unknown"
        }
    }

    /// Behind the name of the job, instead of `is done`.
    var sentence: String {
        switch self {
        case .completed: "was completed"
        case .rolledBack: "was rolled back"
        case .unknown: "has ended; whether it was completed is unknown"
        }
    }
}
