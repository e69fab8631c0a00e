package import SystemPackage
package import ValiseFailures

/// A tree that cannot be shown: not mounted, not served, or not read.
package struct MountError: Failure {
    package let code: FailureCode
    package let message: String
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    package init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    package init(
        _ code: FailureCode, _ message: String, _ path: FilePath, remedy: Remedy? = nil
    ) {
        self.init(code, message, subject: path.string, remedy: remedy)
    }
}
