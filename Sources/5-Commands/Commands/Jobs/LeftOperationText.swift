import Valise

/// Interrupted operations that have no job, in the list of jobs, and jobs of which the table does not say all.
enum LeftOperationText {
    static func line(_ record: OperationRecord) -> String? {
        let replaced = record.replacedPaths.map { "\($0) was replaced by another file since" }
        guard let job = record.job else {
            let state = "\(record.title): \(record.reason ?? record.stateText)"
            return ([state] + replaced + [next(record)]).asSentences.withoutControls
        }
        return replaced.isEmpty ? nil : "\(JobText.name(job)): \(replaced.asSentences)".withoutControls
    }

    /// What can be done about it; empty for nothing.
    private static func next(_ record: OperationRecord) -> String {
        if case .running = record.state { return "" }
        switch record.origin {
        case .download: return "Run 'valise file receive' with the same link and target to resume it."
        case .upload where record.replacedPaths.isEmpty && record.reason == nil:
            return "Run 'valise file send' with the same file and options to resume it."
        default: break
        }
        return record.leftovers.map { $0.sentence + "." } ?? ""
    }
}
