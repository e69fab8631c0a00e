package import ValiseFailures

/// A library of cryptography that is not always there could not be loaded, or could not do its work.
package struct CryptographyError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }
    package let remedy: Remedy?

    init(_ code: FailureCode, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
