public import ValiseFailures

/// Two accounts or archives that cannot be compared.
public struct ComparisonError: Failure {
    public let code: FailureCode
    public let message: String
    /// The archive, the entry or the account.
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?
    /// Whether a passphrase that does not fit was that of the second account.
    public let isOfSecond: Bool

    init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        isOfSecond: Bool = false, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.isOfSecond = isOfSecond
        self.remedy = remedy
    }
}
