public import ValiseFailures

/// Guarded memory could not be had.
public struct SecretsError: Failure {
    public let code: FailureCode
    public let message: String
    public var subject: String? { nil }
    public var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
