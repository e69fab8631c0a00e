package import ValiseFailures

/// An archive of which nothing can be saved, or a salvage that cannot be done.
package struct ArchiveSalvageError: Failure {
    package let code: FailureCode
    package let message: String
    /// The archive, the entry or the account.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

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
