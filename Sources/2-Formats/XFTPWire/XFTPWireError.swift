public import ValiseFailures

/// Bytes or a text of the protocol that are not what they should be.
public struct XFTPWireError: Failure {
    public let code: FailureCode
    public let message: String
    /// The file, address or field that the failure is about.
    public let subject: String?
    public let cause: (any Error)?

    init(_ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
    }
}
