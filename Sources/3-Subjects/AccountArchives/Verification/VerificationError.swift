package import ValiseFailures

/// A verification that cannot be done. What is wrong with an archive is no error but the answer.
package struct VerificationError: Failure {
    package let code: FailureCode
    package let message: String
    /// The archive.
    package let subject: String?
    package var cause: (any Error)? { nil }
    package let remedy: Remedy?

    init(_ code: FailureCode, _ message: String, subject: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
    }
}
