package import ValiseFailures

/// Two accounts or archives that cannot be compared.
package struct ComparisonError: Failure {
    package let code: FailureCode
    package let message: String
    /// The archive, the entry or the account.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// Whether a passphrase that does not fit was that of the second account.
    package let isOfSecond: Bool

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
