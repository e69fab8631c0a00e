package import ValiseFailures

/// A certificate or key that cannot be made, read or trusted.
package struct CertificateError: Failure {
    package let code: FailureCode
    package let message: String
    /// Which certificate or key it is.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// Whether the only defect is the time: not yet or no longer valid.
    package let isExpiry: Bool

    init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        isExpiry: Bool = false, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.isExpiry = isExpiry
        self.remedy = remedy
    }

    /// libcrypto could not do something, for the reason that it left in this thread's queue.
    static func library(_ activity: String) -> CertificateError {
        CertificateError(.failed, "libcrypto could not \(activity)", cause: OpenSSLError.take())
    }
}
