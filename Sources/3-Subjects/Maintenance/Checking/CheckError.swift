package import ValiseFailures

/// A check that cannot be done.
package struct CheckError: Failure {
    package let code: FailureCode
    package let message: String
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
