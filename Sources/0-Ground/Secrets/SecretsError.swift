package import ValiseFailures

/// Guarded memory could not be had.
package struct SecretsError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    package init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
