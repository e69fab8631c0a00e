public import ValiseFailures

/// A passphrase could not be read, stored, found or forgotten.
public struct KeyStorageError: Failure {
    /// What failed, for a caller that goes on elsewhere.
    public enum Kind: Sendable, Equatable {
        /// A source that only gives: file, command, descriptor.
        case source
        /// This machine or session has no such store; nothing is known of what it may hold elsewhere.
        case unavailable
        /// The store is locked and nobody may be asked to unlock it.
        case locked
        /// The store did not answer in time.
        case timedOut
        /// The store answered with a failure.
        case store
    }

    public let kind: Kind
    public let code: FailureCode
    public let message: String
    /// The store, or the file.
    public let subject: String?
    public let cause: (any Error)?

    public init(
        _ kind: Kind, _ code: FailureCode, _ message: String, _ subject: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }

    /// Whether a store failed: what the official programs call `errorKeychain`.
    public var isStoreFailure: Bool { kind != .source }
}
