import Valise

/// Interrupted operations that have no job, in the list of jobs.
enum LeftOperationText {
    static func line(_ record: OperationRecord) -> String {
        let state = record.reason ?? record.stateName
        return ["\(record.title): \(state)", next(record)].asSentences.withoutControls
    }

    /// What can be done about it; empty for nothing.
    private static func next(_ record: OperationRecord) -> String {
        if case .running = record.state { return "" }
        if case .download = record.origin {
            return "Run 'valise file receive' with the same link and target to resume it."
        }
        return record.leftovers.map { $0.sentence + "." } ?? ""
    }
}
