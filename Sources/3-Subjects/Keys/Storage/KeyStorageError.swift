package import ValiseFailures

/// A passphrase could not be read, stored, found or forgotten.
package struct KeyStorageError: Failure {
    /// What failed, for a caller that goes on elsewhere.
    package enum Kind: Sendable, Equatable {
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

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// The store, or the file.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package init(
        _ kind: Kind, _ code: FailureCode, _ message: String, _ subject: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    /// Whether a store failed: what the official programs call `errorKeychain`.
    package var isStoreFailure: Bool { kind != .source }
}
