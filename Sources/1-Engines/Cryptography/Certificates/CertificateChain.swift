import CValiseOpenSSL
import ValiseFailures

/// The certificates that a relay shows, and what makes them those of the relay that was meant (fact sheet, §1.3).
package struct CertificateChain: Sendable {
    /// The relay's own first, the anchor last.
    package let certificates: [Certificate]

    /// The certificate whose key TLS and the handshake prove.
    package var leaf: Certificate { certificates[0] }

    /// The certificate that an address names by its fingerprint.
    package var identity: Certificate { certificates[1] }

    /// - Throws: ``CertificateError``: `damaged` for other lengths than two to four: leaf and identity, then perhaps
    ///   an anchor above it, perhaps with a network's certificate between.
    package init(_ certificates: [Certificate]) throws(CertificateError) {
        guard (2...4).contains(certificates.count) else {
            throw CertificateError(
                .damaged, "expected 2 to 4 relay certificates, got \(certificates.count)")
        }
        self.certificates = certificates
    }

    /// - Throws: ``CertificateError``: `damaged` for a chain of another shape, or one that is no certificate.
    package init(der: [[UInt8]]) throws(CertificateError) {
        guard (2...4).contains(der.count) else {
            throw CertificateError(.damaged, "expected 2 to 4 relay certificates, got \(der.count)")
        }
        var certificates: [Certificate] = []
        for bytes in der { certificates.append(try Certificate(der: bytes)) }
        try self.init(certificates)
    }

    /// Checks that the identity is the one of the fingerprint and that it vouches for the leaf: every certificate is
    /// signed by the next, up to the last one, which is the only anchor. Host names are not looked at.
    ///
    /// - Parameters:
    ///   - fingerprint: SHA-256 of the identity certificate, 32 bytes.
    ///   - now: in seconds since 1970.
    /// - Throws: ``CertificateError``: `denied` with the first defect that was found.
    package func validate(fingerprint: [UInt8], at now: Int64) throws(CertificateError) {
        guard identity.fingerprint == fingerprint else {
            throw CertificateError(.denied, "the relay's fingerprint does not match its address")
        }
        guard leaf.isVersion3 else {
            throw CertificateError(.denied, "the relay's certificate is not X.509 version 3")
        }
        for issuer in certificates.dropFirst() where !issuer.isAuthority {
            throw CertificateError(
                .denied, "the relay's certificate is signed by a certificate that is not a CA")
        }
        try verifyPath(at: now)
    }

    /// libcrypto finds the path and checks it; then the path has to be the very chain that was shown. Otherwise an
    /// identity that was merely put between a stranger's leaf and his anchor would vouch for both.
    private func verifyPath(at now: Int64) throws(CertificateError) {
        OpenSSLError.clear()
        guard let anchors = unsafe X509_STORE_new(), let others = unsafe OPENSSL_sk_new_null(),
            let context = unsafe X509_STORE_CTX_new()
        else { throw .library("verify certificates") }
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe OPENSSL_sk_free(others)
            unsafe X509_STORE_free(anchors)
        }
        let chain = unsafe certificates.map { unsafe $0.withHandle { unsafe $0 } }
        let areTaken = unsafe chain.dropLast().allSatisfy {
            unsafe OPENSSL_sk_push(others, UnsafeRawPointer($0)) > 0
        }
        guard areTaken else { throw .library("verify certificates") }
        guard unsafe X509_STORE_add_cert(anchors, chain.last) == 1,
            unsafe X509_STORE_CTX_init(context, anchors, chain[0], others) == 1
        else { throw .library("verify certificates") }
        let parameters = unsafe X509_STORE_CTX_get0_param(context)
        unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(now))
        // The anchor need not have signed itself.
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        guard unsafe X509_verify_cert(context) == 1 else {
            throw unsafe Self.refusal(X509_STORE_CTX_get_error(context))
        }
        let path = unsafe X509_STORE_CTX_get0_chain(context)
        guard unsafe OPENSSL_sk_num(path) == Int32(chain.count),
            unsafe chain.indices.allSatisfy({ index in
                guard let found = unsafe OPENSSL_sk_value(path, Int32(index)) else { return false }
                return unsafe X509_cmp(OpaquePointer(found), chain[index]) == 0
            })
        else { throw Self.untrusted }
    }

    private static let untrusted = CertificateError(
        .denied, "the relay's certificates do not form a valid chain")

    private static func refusal(_ status: Int32) -> CertificateError {
        OpenSSLError.clear()
        switch status {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return CertificateError(
                .denied, "a certificate of the relay has expired", isExpiry: true, remedy: .checkClock)
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return CertificateError(
                .denied, "a certificate of the relay is not valid yet", isExpiry: true, remedy: .checkClock)
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return untrusted
        default:
            let words = unsafe String(cString: X509_verify_cert_error_string(Int(status)))
            return CertificateError(.denied, "the relay's certificates are invalid: \(words)")
        }
    }
}
