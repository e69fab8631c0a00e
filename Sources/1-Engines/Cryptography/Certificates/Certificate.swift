import CValiseOpenSSL
import ValiseFailures

/// One X.509 certificate.
package final class Certificate: Sendable {
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
            throw CertificateError(.damaged, "certificate exceeds \(Self.sizeLimit) bytes")
        }
        OpenSSLError.clear()
        let read = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            guard let x509 = d2i_X509(nil, &position, bytes.count) else { return nil }
            guard let position, position == bytes.baseAddress.map({ $0 + bytes.count }) else {
                X509_free(x509)
                return nil
            }
            return x509
        }
        guard let x509 = read else {
            throw CertificateError(
                .damaged, "not a single X.509 certificate", cause: OpenSSLError.take())
        }
        do throws(CertificateError) {
            let key = X509_get0_pubkey(x509)
            publicKeyAlgorithm = key.flatMap { SigningAlgorithm(key: $0) }
            publicKeyBytes =
                if let key { try publicKeyAlgorithm?.publicBytes(of: key) ?? [] } else { [] }
        } catch {
            X509_free(x509)
            throw error
        }
        // Fills in what libcrypto otherwise would at first use, on any thread.
        X509_check_purpose(x509, -1, 0)
        OpenSSLError.clear()
        self.der = der
        self.x509 = x509
    }

    /// Takes what libcrypto made, and leaves it to its owner.
    convenience init(copying x509: OpaquePointer) throws(CertificateError) {
        try self.init(der: Self.der(of: x509))
    }

    deinit { X509_free(x509) }

    /// The bytes of OpenSSL's object.
    package static func der(of x509: OpaquePointer) throws(CertificateError) -> [UInt8] {
        let size = i2d_X509(x509, nil)
        guard size > 0, Int(size) <= sizeLimit else { throw .library("encode a certificate") }
        var der = [UInt8](repeating: 0, count: Int(size))
        let written = der.withUnsafeMutableBufferPointer { bytes in
            var position = bytes.baseAddress
            return i2d_X509(x509, &position)
        }
        guard written == size else { throw .library("encode a certificate") }
        return der
    }

    /// SHA-256 of the whole certificate: what an address names an identity by.
    package var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(der, der.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }

    /// Whether `signature` is that of the certificate's key over `bytes`. False for keys that are not Ed25519 or Ed448.
    package func verify(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let algorithm = publicKeyAlgorithm, signature.count == algorithm.signatureSize,
            let key = X509_get0_pubkey(x509), let context = EVP_MD_CTX_new()
        else { return false }
        defer {
            EVP_MD_CTX_free(context)
            OpenSSLError.clear()
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    /// Whether this is the certificate of that key.
    package func belongs(to key: SigningKey) -> Bool {
        defer { OpenSSLError.clear() }
        return key.withHandle { X509_check_private_key(x509, $0) == 1 }
    }

    /// Lends OpenSSL's object.
    package func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(x509)
    }
}

extension Certificate: Equatable {
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
}
