package import ValiseFailures

/// A snapshot of an account cannot be made, read or restored.
package struct BackupError: Failure {
    package let code: FailureCode
    package let message: String
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package init(
        _ code: FailureCode, _ message: String, _ subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }
}
