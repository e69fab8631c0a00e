public import ValiseFailures

/// A verification that cannot be done. What is wrong with an archive is no error but the answer.
public struct VerificationError: Failure {
    public let code: FailureCode
    public let message: String
    /// The archive.
    public let subject: String?
    public var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String, subject: String) {
        self.code = code
        self.message = message
        self.subject = subject
    }
}
