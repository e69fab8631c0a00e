import CValiseOpenSSL
import ValiseEncoding
import ValiseFailures

/// One X.509 certificate.
@safe package final class Certificate: Sendable {
    /// libcrypto counts its owners atomically; what it remembers of extensions is filled in by ``init(der:)``.
    private nonisolated(unsafe) let x509: OpaquePointer

    /// The bytes that the fingerprint is of.
    package let der: [UInt8]

    /// Nil when the public key is of another algorithm.
    package let publicKeyAlgorithm: SigningAlgorithm?

    /// The raw public key; empty where there is no ``publicKeyAlgorithm``.
    package let publicKeyBytes: [UInt8]

    /// The most that one certificate may have, in bytes.
    package static let sizeLimit = 32 << 10

    /// - Throws: ``CertificateError``: `damaged` when the bytes are not exactly one certificate.
    package init(der: [UInt8]) throws(CertificateError) {
        guard der.count <= Self.sizeLimit else {
            throw CertificateError(.damaged, "certificate exceeds \(Count.bytes(Int64(Self.sizeLimit)))")
        }
        OpenSSLError.clear()
        let read = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            guard let x509 = unsafe d2i_X509(nil, &position, bytes.count) else { return nil }
            guard let position = unsafe position,
                unsafe position == bytes.baseAddress.map({ unsafe $0 + bytes.count })
            else {
                unsafe X509_free(x509)
                return nil
            }
            return unsafe x509
        }
        guard let x509 = unsafe read else {
            throw CertificateError(
                .damaged, "not a single X.509 certificate", cause: OpenSSLError.take())
        }
        do throws(CertificateError) {
            let key = unsafe X509_get0_pubkey(x509)
            publicKeyAlgorithm = unsafe key.flatMap { unsafe SigningAlgorithm(key: $0) }
            publicKeyBytes =
                if let key = unsafe key { try unsafe publicKeyAlgorithm?.publicBytes(of: key) ?? [] } else {
                    []
                }
        } catch {
            unsafe X509_free(x509)
            throw error
        }
        // Fills in what libcrypto otherwise would at first use, on any thread.
        unsafe X509_check_purpose(x509, -1, 0)
        OpenSSLError.clear()
        self.der = der
        unsafe self.x509 = unsafe x509
    }

    /// Takes what libcrypto made, and leaves it to its owner.
    convenience init(copying x509: OpaquePointer) throws(CertificateError) {
        try unsafe self.init(der: Self.der(of: x509))
    }

    deinit { unsafe X509_free(x509) }

    /// The bytes of OpenSSL's object.
    package static func der(of x509: OpaquePointer) throws(CertificateError) -> [UInt8] {
        let size = unsafe i2d_X509(x509, nil)
        guard size > 0, Int(size) <= sizeLimit else { throw .library("encode a certificate") }
        var der = [UInt8](repeating: 0, count: Int(size))
        let written = unsafe der.withUnsafeMutableBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe i2d_X509(x509, &position)
        }
        guard written == size else { throw .library("encode a certificate") }
        return der
    }

    /// SHA-256 of the whole certificate: what an address names an identity by.
    package var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe EVP_Digest(der, der.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }

    /// Whether `signature` is that of the certificate's key over `bytes`. False for keys that are not Ed25519 or Ed448.
    package func verify(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let algorithm = publicKeyAlgorithm, signature.count == algorithm.signatureSize,
            let key = unsafe X509_get0_pubkey(x509), let context = unsafe EVP_MD_CTX_new()
        else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            OpenSSLError.clear()
        }
        return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    /// Whether this is the certificate of that key.
    package func belongs(to key: SigningKey) -> Bool {
        defer { OpenSSLError.clear() }
        return unsafe key.withHandle { unsafe X509_check_private_key(x509, $0) == 1 }
    }

    /// Lends OpenSSL's object.
    package func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(x509)
    }
}

extension Certificate: Equatable {
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
}
