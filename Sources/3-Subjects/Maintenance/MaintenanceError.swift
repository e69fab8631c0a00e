public import ValiseFailures

/// An operation of maintenance that cannot be done.
public struct MaintenanceError: Failure {
    public let code: FailureCode
    public let message: String
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?

    public init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }
}
