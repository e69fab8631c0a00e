package import ValiseFailures

/// Media of an account that cannot be dealt with.
package struct AccountMediaError: Failure {
    package let code: FailureCode
    package let message: String
    package let subject: String?
    package let cause: (any Error)?

    package init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }
}
