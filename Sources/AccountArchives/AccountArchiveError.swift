public import Failures

/// An archive that cannot be made or taken.
public struct AccountArchiveError: Failure {
    public let code: FailureCode
    public let message: String
    /// The archive, or the entry.
    public let subject: String?
    public let cause: (any Error)?

    public init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }
}
