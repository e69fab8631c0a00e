import CValiseOpenSSL
import ValiseEncoding
import ValiseFailures

extension Certificate {
    /// The most that a file of certificates may have, in bytes.
    package static let fileSizeLimit = 256 << 10

    /// All certificates of a PEM text in their order; whatever else is in it is passed over.
    ///
    /// - Throws: ``CertificateError``: `damaged` when there is none, more than ten, or one that cannot be read.
    package static func chain(pem: [UInt8]) throws(CertificateError) -> [Certificate] {
        guard pem.count <= fileSizeLimit else {
            throw CertificateError(.damaged, "certificate file exceeds \(Count.bytes(Int64(fileSizeLimit)))")
        }
        OpenSSLError.clear()
        // A copy of OpenSSL's own: a borrowed one would have to outlive this call.
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw .library("read certificates") }
        defer { unsafe BIO_free(memory) }
        guard unsafe BIO_write(memory, pem, Int32(pem.count)) == Int32(pem.count) else {
            throw CertificateError(.damaged, "no PEM certificate found")
        }
        var chain: [Certificate] = []
        while let x509 = unsafe PEM_read_bio_X509(memory, nil, { _, _, _, _ in -1 }, nil) {
            defer { unsafe X509_free(x509) }
            guard chain.count < 10 else { throw CertificateError(.damaged, "more than 10 certificates") }
            unsafe chain.append(try Certificate(copying: x509))
        }
        let end = OpenSSLError.take()
        guard !chain.isEmpty, end?.reason == PEM_R_NO_START_LINE else {
            throw CertificateError(.damaged, "no PEM certificate found", cause: end)
        }
        return chain
    }

    /// The certificate as PEM text.
    /// - Throws: ``CertificateError`` when libcrypto has no memory.
    package func pem() throws(CertificateError) -> [UInt8] {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw .library("write a certificate") }
        defer { unsafe BIO_free(memory) }
        guard unsafe withHandle({ unsafe PEM_write_bio_X509(memory, $0) }) == 1 else {
            throw .library("write a certificate")
        }
        var text = unsafe [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        var count = 0
        guard unsafe BIO_read_ex(memory, &text, text.count, &count) == 1, count == text.count else {
            throw .library("write a certificate")
        }
        return text
    }
}
