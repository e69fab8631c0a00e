/// What an operation has to say at its end, as a value and as a document.
public protocol OperationReport: Encodable, Sendable {
    /// Whether single entries failed, and the rest was done.
    var hasEntryErrors: Bool { get }
}

extension OperationReport {
    public var hasEntryErrors: Bool { false }
}
