public import ValiseFailures

/// Media of an account that cannot be dealt with.
public struct AccountMediaError: Failure {
    public let code: FailureCode
    public let message: String
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
