package import ValiseFailures

/// Why pages could not be made.
package struct HTMLExportError: Failure {
    package let code: FailureCode
    package let message: String
    /// The template, where it is about one.
    package let subject: String?
    package let cause: (any Error)?

    init(_ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }
}
