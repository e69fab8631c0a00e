package import ValiseFailures

/// A primitive of libsodium that could not be used.
package struct SodiumError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
