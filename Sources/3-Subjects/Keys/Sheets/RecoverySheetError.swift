package import ValiseFailures

/// A recovery sheet could not be made.
package struct RecoverySheetError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
