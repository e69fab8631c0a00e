public import ValiseFailures

/// What an operation tells while it runs: the one vocabulary of all of them.
public enum OperationEvent: Sendable {
    /// How far it is. Only the last one counts.
    case progress(OperationProgress)
    /// Something that whoever runs it should know, although nothing failed.
    case note(any OperationNote)
    /// One entry failed; the operation continues with the others, and its report has it, too.
    case entryFailed(EntryFailure)
}

extension OperationEvent {
    /// The same, where it is progress as that of another activity: for an operation that another one is a part of.
    package func progressing(_ activity: String) -> OperationEvent {
        guard case .progress(var progress) = self else { return self }
        progress.activity = activity
        return .progress(progress)
    }
}

/// Something that an operation tells beside its progress.
///
/// Subjects have types of their own for what they tell, so that whoever shows it can switch over them and word it in its own
/// way.
public protocol OperationNote: Sendable {
    /// A sentence in lower case without a full stop, for those who do not know the type.
    var text: String { get }
}

/// An entry of many that failed.
public struct EntryFailure: Sendable, Equatable {
    /// The file, message or row, as the report calls it.
    public let entry: String
    /// Why it failed.
    public let reason: Remark

    package init(_ entry: String, _ reason: Remark) {
        self.entry = entry
        self.reason = reason
    }
}

/// Sees what an operation tells. Called from any thread, several at once.
public typealias EventHandler = @Sendable (OperationEvent) -> Void
