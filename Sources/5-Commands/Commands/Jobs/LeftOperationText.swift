import Valise

/// Interrupted operations that have no job, in the list of jobs.
enum LeftOperationText {
    static func line(_ record: OperationRecord) -> String {
        let state =
            switch record.state {
            case .running: "running"
            case .undecided, .decided: "interrupted"
            case .stopped(let reason): reason ?? "stopped"
            case .ended: "ended"
            }
        return ["\(record.title): \(state)", next(record)].compactMap(\.self).asSentences.withoutControls
    }

    /// What can be done about it.
    private static func next(_ record: OperationRecord) -> String? {
        switch (record.origin, record.state) {
        case (_, .running): nil
        case (.download, _): "Run 'valise file receive' with the same link and target to resume it."
        default: record.leftovers.map { $0.sentence + "." }
        }
    }
}
