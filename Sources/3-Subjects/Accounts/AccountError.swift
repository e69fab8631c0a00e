package import SystemPackage
package import ValiseFailures

/// Something is wrong with an account as a whole: where it is, who holds it, what state it was left in.
package struct AccountError: Failure {
    package let code: FailureCode
    package let message: String
    /// The folder or file.
    package let path: FilePath
    /// Who uses it, where that is the failure.
    package let holder: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    package var subject: String? { path.string }

    package init(
        _ code: FailureCode, _ message: String, _ path: FilePath, holder: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.holder = holder
        self.code = code
        self.message = message
        self.path = path
        self.cause = cause
        self.remedy = remedy
    }
}
