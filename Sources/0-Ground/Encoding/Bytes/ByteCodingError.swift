package import ValiseFailures

/// Bytes that are not what they should be.
package struct ByteCodingError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    /// A field that may stand once stands twice, or holds what its type cannot.
    package static let repeated = ByteCodingError(.damaged, "a field is repeated or invalid")

    init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static func truncated(wanted: Int, left: Int) -> ByteCodingError {
        ByteCodingError(.damaged, "expected \(Count.text(wanted, "more byte")), got \(left)")
    }
}
