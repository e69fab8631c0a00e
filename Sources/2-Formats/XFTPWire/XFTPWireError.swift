package import ValiseFailures

/// Bytes or a text of the protocol that are not what they should be.
package struct XFTPWireError: Failure {
    package let code: FailureCode
    package let message: String
    /// The file, address or field that the failure is about.
    package let subject: String?
    package let cause: (any Error)?

    init(_ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }
}
