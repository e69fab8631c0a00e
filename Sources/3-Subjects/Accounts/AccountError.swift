public import SystemPackage
public import ValiseFailures

/// Something is wrong with an account as a whole: where it is, who holds it, what state it was left in.
public struct AccountError: Failure {
    public let code: FailureCode
    public let message: String
    /// The folder or file.
    public let path: FilePath
    /// Who uses it, where that is the failure.
    public let holder: String?
    public let cause: (any Error)?
    public let remedy: Remedy?
    public var subject: String? { path.string }

    public init(
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
