public import ValiseFailures

/// A primitive of libsodium that could not be used.
public struct SodiumError: Failure {
    public let code: FailureCode
    public let message: String
    public var subject: String? { nil }
    public var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
