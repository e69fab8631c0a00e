package import ValiseFailures

/// A store could not do what it was asked for.
package struct StorageError: Failure {
    /// What went wrong, where ``code`` does not tell enough.
    package enum Kind: Sendable, Hashable {
        /// As ``code`` says.
        case general
        /// The server cannot be reached, or the connection broke.
        case unreachable
        /// The server asks to come back later (429, 503, `SlowDown`).
        case busy
        /// The server failed (other 5xx).
        case server
        /// User name, password or keys are wrong (401, 403).
        case credentials
        /// This machine's clock differs too much from the server's for signatures.
        case clock
        /// The server keeps everything that it has: nothing can be removed or replaced.
        case appendOnly
        /// The answer was cut off, or is not what it says.
        case answer
        /// An object is not what it was, or is there already: somebody else wrote first (412). Two that write at the same moment
        /// may both be `busy` (409).
        case changed
        /// The bucket or the folder is missing, and not one file or object of it.
        case noStore
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// The file or the place.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// How many seconds a busy server asks to wait; nil where it does not say.
    package let retryAfter: Int?

    package init(
        _ kind: Kind = .general, _ code: FailureCode, _ message: String, _ subject: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil, retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed a moment later.
    package var isTransient: Bool { [.unreachable, .busy, .server, .answer].contains(kind) }
}
