package import ValiseFailures

/// An operation on the media of an account that cannot be done.
package struct MediaEncryptionError: Failure {
    package let code: FailureCode
    package let message: String
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
