public import ValiseConcurrency

/// What an operation has to say at its end, as a value and as a document.
public protocol OperationReport: Encodable, Sendable {
    /// Whether single entries failed, and the rest was done.
    var hasEntryErrors: Bool { get }
    /// The entries that failed, as far as the report lists them: each is an event of the run, too.
    var entryFailures: [EntryFailure] { get }
}

extension OperationReport {
    public var hasEntryErrors: Bool { !entryFailures.isEmpty }
    public var entryFailures: [EntryFailure] { [] }
}
