public import ValiseFailures

/// A check that cannot be done.
public struct CheckError: Failure {
    public let code: FailureCode
    public let message: String
    public let subject: String?
    public var cause: (any Error)? { nil }
    public let remedy: Remedy?

    init(_ code: FailureCode, _ message: String, subject: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
    }
}
