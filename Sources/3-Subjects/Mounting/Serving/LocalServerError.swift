package import ValiseFailures

/// A server of this machine that cannot be started.
package struct LocalServerError: Failure {
    package let code: FailureCode
    package let message: String
    package let remedy: Remedy?
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
