import ValiseCryptography
package import ValiseFailures

/// A TLS connection that cannot be made or has failed.
package struct TLSError: Failure {
    /// What a caller may want to tell apart.
    package enum Kind: Sendable, Equatable {
        /// The peer is not the one that was meant, or cannot prove it.
        case untrusted
        /// The peer is the right one, but a certificate is not valid at this time.
        case expired
        /// The peer gave up with this alert (RFC 8446, section 6).
        case refused(alert: UInt8)
        /// Both sides have no version, suite, key exchange, signature or ALPN protocol in common.
        case incompatible
        /// What came is no TLS, or was changed on its way.
        case protocolViolation
        /// The connection ended without the peer's word that it ends: what came before may not be all.
        case truncated
        /// The connection was closed on this side before the handshake was done.
        case closed
        /// Nothing of the peer's doing.
        case failed
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package let cause: (any Error)?
    package let remedy: Remedy?

    init(_ kind: Kind, _ message: String, cause: (any Error)? = nil, remedy: Remedy? = nil) {
        self.kind = kind
        self.message = message
        self.cause = cause
        self.remedy = remedy
        code =
            switch kind {
            case .untrusted, .expired, .refused: .denied
            case .incompatible: .unsupported
            case .protocolViolation, .truncated: .damaged
            case .closed: .interrupted
            case .failed: .failed
            }
    }

    /// A check of certificates failed.
    init(_ error: CertificateError) {
        self.init(
            error.isExpiry ? .expired : .untrusted, error.message, cause: error.cause, remedy: error.remedy)
    }

    /// libssl could not do something on this side.
    static func library(_ activity: String) -> TLSError {
        TLSError(.failed, "OpenSSL could not \(activity)", cause: OpenSSLError.take())
    }

    static let closedEarly = TLSError(.closed, "the connection was closed before the TLS handshake completed")
    static let truncatedHandshake = TLSError(
        .truncated, "the peer closed the connection before the TLS handshake completed")
    static let truncated = TLSError(
        .truncated, "the connection was cut off: no TLS close notification from the peer")
}
