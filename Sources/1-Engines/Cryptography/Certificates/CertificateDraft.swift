import CValiseOpenSSL
import ValiseFailures

/// A certificate that is being made. Subject and issuer come before the extensions, which refer to them.
final class CertificateDraft {
    private let x509: OpaquePointer
    private var issuer: Certificate?

    /// - Parameters:
    ///   - now: from when on it is valid, in seconds since 1970.
    ///   - days: for how long.
    init(for key: SigningKey, now: Int64, days: Int32) throws(CertificateError) {
        OpenSSLError.clear()
        guard let x509 = X509_new() else { throw .library("create a certificate") }
        self.x509 = x509
        var start = time_t(now)
        guard X509_set_version(x509, 2) == 1,
            key.withHandle({ X509_set_pubkey(x509, $0) }) == 1,
            X509_time_adj_ex(X509_getm_notBefore(x509), 0, 0, &start) != nil,
            X509_time_adj_ex(X509_getm_notAfter(x509), days, 0, &start) != nil
        else { throw .library("create a certificate") }
        try setSerialNumber()
    }

    deinit { X509_free(x509) }

    /// 159 random bits, as OpenSSL's own tool takes: 20 bytes that stay positive.
    private func setSerialNumber() throws(CertificateError) {
        guard let number = BN_new() else { throw .library("create a certificate") }
        defer { BN_free(number) }
        guard BN_rand(number, 159, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1,
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
        else { throw .library("create a certificate") }
    }

    func setSubject(_ fields: [(String, String)]) throws(CertificateError) {
        let name = X509_get_subject_name(x509)
        for (field, value) in fields {
            let bytes = Array(value.utf8)
            guard
                X509_NAME_add_entry_by_txt(
                    name, field, V_ASN1_UTF8STRING, bytes, Int32(bytes.count), -1, 0) == 1
            else {
                throw CertificateError(
                    .invalid, "the name cannot be used in a certificate", subject: value,
                    cause: OpenSSLError.take())
            }
        }
    }

    /// - Parameter issuer: nil for the certificate itself.
    func setIssuer(_ issuer: Certificate?) throws(CertificateError) {
        self.issuer = issuer
        let name = issuer?.withHandle { X509_get_subject_name($0) } ?? X509_get_subject_name(x509)
        guard X509_set_issuer_name(x509, name) == 1 else { throw .library("create a certificate") }
    }

    func add(_ extensions: [(Int32, String)]) throws(CertificateError) {
        var context = X509V3_CTX()
        // Borrowed by the context: the issuer is held by this draft.
        let signer = issuer?.withHandle { $0 } ?? x509
        X509V3_set_ctx(&context, signer, x509, nil, nil, 0)
        for (kind, value) in extensions {
            guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else {
                throw .library("create a certificate extension")
            }
            defer { X509_EXTENSION_free(made) }
            guard X509_add_ext(x509, made, -1) == 1 else { throw .library("create a certificate") }
        }
    }

    func signed(by key: SigningKey) throws(CertificateError) -> Certificate {
        // The digest is part of EdDSA.
        guard key.withHandle({ X509_sign(x509, $0, nil) }) > 0 else { throw .library("sign a certificate") }
        return try Certificate(copying: x509)
    }
}
