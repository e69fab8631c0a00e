public import ValiseFailures

/// A relay that cannot be set up or cannot go on.
public struct XFTPRelayError: Failure {
    public let code: FailureCode
    public let message: String
    /// What the failure is about.
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
