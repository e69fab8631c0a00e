public import ValiseFailures

/// What an operation reports while it runs: one vocabulary for all operations.
public enum OperationEvent: Sendable {
    /// The progress. Only the latest counts.
    case progress(OperationProgress)
    /// Something that whoever runs it should know, although nothing failed.
    case note(any OperationNote)
    /// One entry failed; the operation continues with the others, and its report has it, too.
    case entryFailed(EntryFailure)
}

extension OperationEvent {
    /// The same, where it is progress as that of another activity: for an operation that another one is a part of.
    /// - Parameter file: its name, behind the activity; nil for none.
    package func progressing(_ activity: String, file: String? = nil) -> OperationEvent {
        guard case .progress(var progress) = self else { return self }
        progress.activity = file.map { "\(activity) \($0)" } ?? activity
        progress.unnamed = file == nil ? nil : activity
        return .progress(progress)
    }
}

/// Something that an operation reports besides its progress.
///
/// Subjects have their own types for notes, so that the program that shows them can switch over them and choose its own
/// words.
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

/// Receives what an operation reports. Called from any thread, concurrently.
public typealias EventHandler = @Sendable (OperationEvent) -> Void
