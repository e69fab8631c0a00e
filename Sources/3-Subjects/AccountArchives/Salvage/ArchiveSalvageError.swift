public import ValiseFailures

/// An archive of which nothing can be saved, or a salvage that cannot be done.
public struct ArchiveSalvageError: Failure {
    public let code: FailureCode
    public let message: String
    /// The archive, the entry or the account.
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?

    init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }
}
