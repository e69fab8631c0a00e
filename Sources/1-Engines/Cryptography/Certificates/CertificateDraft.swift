import CValiseOpenSSL
import ValiseFailures

/// A certificate that is being made. Subject and issuer come before the extensions, which refer to them.
@safe final class CertificateDraft {
    private let x509: OpaquePointer
    private var issuer: Certificate?

    /// - Parameters:
    ///   - now: from when on it is valid, in seconds since 1970.
    ///   - days: for how long.
    init(for key: SigningKey, now: Int64, days: Int32) throws(CertificateError) {
        OpenSSLError.clear()
        guard let x509 = unsafe X509_new() else { throw .library("create a certificate") }
        unsafe self.x509 = unsafe x509
        var start = time_t(now)
        guard unsafe X509_set_version(x509, 2) == 1,
            unsafe key.withHandle({ unsafe X509_set_pubkey(x509, $0) }) == 1,
            unsafe X509_time_adj_ex(X509_getm_notBefore(x509), 0, 0, &start) != nil,
            unsafe X509_time_adj_ex(X509_getm_notAfter(x509), days, 0, &start) != nil
        else { throw .library("create a certificate") }
        try setSerialNumber()
    }

    deinit { unsafe X509_free(x509) }

    /// 159 random bits, as OpenSSL's own tool takes: 20 bytes that stay positive.
    private func setSerialNumber() throws(CertificateError) {
        guard let number = unsafe BN_new() else { throw .library("create a certificate") }
        defer { unsafe BN_free(number) }
        guard unsafe BN_rand(number, 159, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1,
            unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
        else { throw .library("create a certificate") }
    }

    func setSubject(_ fields: [(String, String)]) throws(CertificateError) {
        let name = unsafe X509_get_subject_name(x509)
        for (field, value) in fields {
            let bytes = Array(value.utf8)
            guard
                unsafe X509_NAME_add_entry_by_txt(
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
        let name =
            unsafe issuer?.withHandle { unsafe X509_get_subject_name($0) }
            ?? X509_get_subject_name(
                x509)
        guard unsafe X509_set_issuer_name(x509, name) == 1 else { throw .library("create a certificate") }
    }

    func add(_ extensions: [(Int32, String)]) throws(CertificateError) {
        var context = unsafe X509V3_CTX()
        // Borrowed by the context: the issuer is held by this draft.
        let signer = unsafe issuer?.withHandle { unsafe $0 } ?? x509
        unsafe X509V3_set_ctx(&context, signer, x509, nil, nil, 0)
        for (kind, value) in extensions {
            guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value) else {
                throw .library("create a certificate extension")
            }
            defer { unsafe X509_EXTENSION_free(made) }
            guard unsafe X509_add_ext(x509, made, -1) == 1 else { throw .library("create a certificate") }
        }
    }

    func signed(by key: SigningKey) throws(CertificateError) -> Certificate {
        // The digest is part of EdDSA.
        guard unsafe key.withHandle({ unsafe X509_sign(x509, $0, nil) }) > 0 else {
            throw .library("sign a certificate")
        }
        return try unsafe Certificate(copying: x509)
    }
}
