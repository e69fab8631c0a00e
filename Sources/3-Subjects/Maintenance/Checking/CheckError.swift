public import ValiseFailures

/// A check that cannot be done.
public struct CheckError: Failure {
    public let code: FailureCode
    public let message: String
    public let subject: String?
    public var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String, subject: String) {
        self.code = code
        self.message = message
        self.subject = subject
    }
}
