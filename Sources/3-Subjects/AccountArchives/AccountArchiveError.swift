package import ValiseFailures

/// An archive that cannot be made or taken.
package struct AccountArchiveError: Failure {
    /// What a caller may want to do something about.
    package enum Kind: Sendable, Equatable {
        /// Whatever the code and the message say.
        case other
        /// A file of the account is not as it was read for an ``ArchiveImage``.
        case sourceChanged
        /// A journal or a log of a database has to be folded in before an ``ArchiveImage``.
        case needsFolding
    }

    package let code: FailureCode
    package let kind: Kind
    package let message: String
    /// The archive, the entry, or the file of an account.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package init(
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
