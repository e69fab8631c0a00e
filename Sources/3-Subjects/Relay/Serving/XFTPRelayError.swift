package import ValiseFailures

/// A relay that cannot be set up or cannot go on.
package struct XFTPRelayError: Failure {
    package let code: FailureCode
    package let message: String
    /// What the failure is about.
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
