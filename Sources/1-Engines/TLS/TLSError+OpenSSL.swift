import CValiseOpenSSL
import ValiseCryptography

extension TLSError {
    /// Alerts of the peer have their number plus this one as reason.
    private static let alertOffset = Int32(SSL_AD_REASON_OFFSET)

    /// The meaning of what libssl reported, which leaves its queue.
    static func take() -> TLSError {
        guard let error = OpenSSLError.take() else {
            return TLSError(.protocolViolation, "the peer violated the TLS protocol")
        }
        if error.reason >= alertOffset, let alert = UInt8(exactly: error.reason - alertOffset) {
            return TLSError(.refused(alert: alert), "the peer refused TLS with alert \(alert)", cause: error)
        }
        switch error.reason {
        case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE,
            SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_SUITABLE_GROUPS,
            SSL_R_WRONG_SIGNATURE_TYPE, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_PROTOCOLS_AVAILABLE,
            SSL_R_UNSUPPORTED_SSL_VERSION:
            return TLSError(
                .incompatible, "no TLS version or algorithm in common with the peer", cause: error)
        case Int32(ERR_R_MALLOC_FAILURE), Int32(ERR_R_INTERNAL_ERROR):
            return TLSError(.failed, "OpenSSL failed", cause: error)
        default:
            return TLSError(
                .protocolViolation, "the peer's data is not TLS or was altered in transit", cause: error)
        }
    }
}
