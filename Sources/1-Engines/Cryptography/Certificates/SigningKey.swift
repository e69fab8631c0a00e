import CValiseOpenSSL
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// The private key of an identity. Its secret part is in OpenSSL's own object, which wipes it at the end.
@safe package final class SigningKey: Sendable {
    /// libcrypto counts its owners atomically and changes nothing in it when it signs.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Nil for a key of another algorithm, such as that of a web certificate, which serves TLS and nothing else.
    package let algorithm: SigningAlgorithm?

    /// The raw public key; empty where there is no ``algorithm``.
    package let publicBytes: [UInt8]

    /// The most that a key file may have, in bytes.
    package static let sizeLimit = 64 << 10

    /// - Parameter key: ownership of one reference goes to the object, even when this throws.
    private init(owning key: OpaquePointer) throws(CertificateError) {
        let algorithm = unsafe SigningAlgorithm(key: key)
        do throws(CertificateError) {
            publicBytes = try unsafe algorithm?.publicBytes(of: key) ?? []
        } catch {
            unsafe EVP_PKEY_free(key)
            throw error
        }
        self.algorithm = algorithm
        unsafe self.key = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// A new random key.
    /// - Throws: ``CertificateError`` when libcrypto has no randomness or memory.
    package static func generate(_ algorithm: SigningAlgorithm) throws(CertificateError) -> SigningKey {
        OpenSSLError.clear()
        guard let context = unsafe EVP_PKEY_CTX_new_id(algorithm.nid, nil) else {
            throw .library("generate a key")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_keygen(context, &key) == 1,
            let key = unsafe key
        else {
            throw .library("generate a key")
        }
        return try unsafe SigningKey(owning: key)
    }

    /// The first private key of a PEM text: PKCS#8, without a passphrase.
    ///
    /// - Throws: ``CertificateError``: `damaged` when there is none, `unsupported` when it is encrypted.
    package convenience init(pem: borrowing SecretBytes) throws(CertificateError) {
        guard pem.count <= Self.sizeLimit else {
            throw CertificateError(.damaged, "key exceeds \(Count.bytes(Int64(Self.sizeLimit)))")
        }
        OpenSSLError.clear()
        var isEncrypted = false
        let key = unsafe pem.withBytes { bytes -> OpaquePointer? in
            guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(memory) }
            // Without this answer OpenSSL would ask for a passphrase on the terminal.
            return unsafe PEM_read_bio_PrivateKey(
                memory, nil,
                { _, _, _, isEncrypted in
                    unsafe isEncrypted?.storeBytes(of: true, as: Bool.self)
                    return -1
                }, &isEncrypted)
        }
        guard let key = unsafe key else {
            // Its reasons are those of its decoders, not of the key.
            OpenSSLError.clear()
            guard !isEncrypted else {
                throw CertificateError(
                    .unsupported, "the key is encrypted", remedy: .storeKeyUnencrypted)
            }
            throw CertificateError(.damaged, "no PEM private key found")
        }
        try unsafe self.init(owning: key)
    }

    /// The key as PEM text: PKCS#8, without a passphrase.
    /// - Throws: ``CertificateError``; `SecretsError` when no guarded memory is available.
    package func pem() throws -> SecretBytes {
        OpenSSLError.clear()
        // What this BIO held is wiped when it is freed.
        guard let memory = unsafe BIO_new(BIO_s_secmem()) else {
            throw CertificateError.library("write a key")
        }
        defer { unsafe BIO_free(memory) }
        guard unsafe PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else {
            throw CertificateError.library("write a key")
        }
        return try unsafe SecretBytes(capacity: BIO_ctrl_pending(memory)) { target in
            var count = 0
            guard unsafe BIO_read_ex(memory, target.baseAddress, target.count, &count) == 1 else {
                throw CertificateError.library("write a key")
            }
            return count
        }
    }

    /// The pure EdDSA signature of `bytes`.
    /// - Throws: ``CertificateError``: `unsupported` for a key of another algorithm.
    package func sign(_ bytes: [UInt8]) throws(CertificateError) -> [UInt8] {
        guard let algorithm else {
            throw CertificateError(.unsupported, "only Ed25519 and Ed448 keys can sign for an identity")
        }
        OpenSSLError.clear()
        guard let context = unsafe EVP_MD_CTX_new() else { throw .library("sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: algorithm.signatureSize)
        var size = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &size, bytes, bytes.count) == 1,
            size == signature.count
        else { throw .library("sign") }
        return signature
    }

    /// Lends OpenSSL's object.
    package func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(key)
    }
}

extension SigningKey: CustomStringConvertible {
    /// What may be printed of a secret.
    package var description: String { "<redacted>" }
}
