public import ValiseFailures

/// An archive that cannot be made or taken.
public struct AccountArchiveError: Failure {
    /// What a caller may want to do something about.
    public enum Kind: Sendable, Equatable {
        /// Whatever the code and the message say.
        case other
        /// A file of the account is not as it was read for an ``ArchiveImage``.
        case sourceChanged
        /// A journal or a log of a database has to be folded in before an ``ArchiveImage``.
        case needsFolding
    }

    public let code: FailureCode
    public let kind: Kind
    public let message: String
    /// The archive, the entry, or the file of an account.
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?

    public init(
        _ code: FailureCode, _ message: String, kind: Kind = .other, subject: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.kind = kind
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }
}
