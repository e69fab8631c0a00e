public import ValiseConcurrency

/// The result of an operation, as a value and as a JSON document.
public protocol OperationReport: Encodable, Sendable {
    /// Whether single entries failed, and the rest was done.
    var hasEntryErrors: Bool { get }
    /// The entries that failed, as far as the report lists them. Each is also an event of the run.
    var entryFailures: [EntryFailure] { get }
}

extension OperationReport {
    public var hasEntryErrors: Bool { !entryFailures.isEmpty }
    public var entryFailures: [EntryFailure] { [] }
}
