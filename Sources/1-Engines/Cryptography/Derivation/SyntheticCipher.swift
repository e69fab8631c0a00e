import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

/// Deterministic authenticated encryption by AES-256-SIV (RFC 5297): the vector is made of what is encrypted, and stands before it.
///
/// The same text under the same key is always the same. That is what it is for: names that can be looked up.
package struct SyntheticCipher: Sendable {
    private let key: SharedSecret

    /// Both keys, in bytes.
    package static let keyByteCount = 64
    /// How many bytes the vector adds.
    package static let vectorByteCount = 16

    /// - Parameter key: 64 bytes.
    /// - Throws: ``CryptographyError`` with `invalid` for another length.
    package init(key: consuming SecretBytes) throws(CryptographyError) {
        guard key.count == Self.keyByteCount else {
            throw CryptographyError(.invalid, "wrong key length: expected 64 bytes, got \(key.count)")
        }
        self.key = SharedSecret(key)
    }

    /// The vector and the encrypted bytes.
    ///
    /// - Parameters:
    ///   - plaintext: at least one byte.
    ///   - additional: what is authenticated with it, in this order.
    /// - Throws: ``CryptographyError``: `invalid` for no bytes, `failed`.
    package func seal(_ plaintext: [UInt8], additional: [[UInt8]]) throws(CryptographyError) -> [UInt8] {
        guard !plaintext.isEmpty else { throw CryptographyError(.invalid, "nothing to encrypt") }
        var vector = [UInt8](repeating: 0, count: Self.vectorByteCount)
        let context = try unsafe makeContext(isEncrypting: true)
        defer { unsafe release(context) }
        let encrypted = unsafe transform(plaintext, additional, context)
        guard let encrypted,
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.vectorByteCount), &vector) == 1
        else { throw Self.failure }
        return vector + encrypted
    }

    /// The decrypted bytes; nil where the key or a bit of anything is another one.
    /// - Throws: ``CryptographyError`` with `failed`.
    package func open(_ sealed: [UInt8], additional: [[UInt8]]) throws(CryptographyError) -> [UInt8]? {
        guard sealed.count > Self.vectorByteCount else { return nil }
        var vector = Array(sealed.prefix(Self.vectorByteCount))
        let context = try unsafe makeContext(isEncrypting: false)
        defer { unsafe release(context) }
        guard
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.vectorByteCount), &vector) == 1
        else { throw Self.failure }
        return unsafe transform(Array(sealed.dropFirst(Self.vectorByteCount)), additional, context)
    }

    // MARK: libcrypto

    private func makeContext(isEncrypting: Bool) throws(CryptographyError) -> OpaquePointer {
        let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-SIV", nil)
        // A context holds it for as long as it lives.
        defer { unsafe EVP_CIPHER_free(cipher) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Self.failure }
        let isReady = unsafe key.bytes.withBytes { key in
            unsafe cipher != nil
                && EVP_CipherInit_ex2(
                    context, cipher, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    isEncrypting ? 1 : 0, nil) == 1
        }
        guard isReady else {
            unsafe release(context)
            throw Self.failure
        }
        return unsafe context
    }

    private func release(_ context: OpaquePointer) {
        unsafe EVP_CIPHER_CTX_free(context)
        OpenSSLError.clear()
    }

    private func transform(_ bytes: [UInt8], _ additional: [[UInt8]], _ context: OpaquePointer) -> [UInt8]? {
        var written: Int32 = 0
        for part in additional {
            // An empty part counts, too: it needs an address, which an empty array has not.
            let given = part.isEmpty ? [0] : part
            guard unsafe EVP_CipherUpdate(context, nil, &written, given, Int32(clamping: part.count)) == 1
            else {
                return nil
            }
        }
        var output = [UInt8](repeating: 0, count: bytes.count)
        guard unsafe EVP_CipherUpdate(context, &output, &written, bytes, Int32(clamping: bytes.count)) == 1,
            written == bytes.count, unsafe EVP_CipherFinal_ex(context, nil, &written) == 1
        else { return nil }
        return output
    }

    private static var failure: CryptographyError {
        CryptographyError(.failed, "cannot encrypt or decrypt a name: a system library failed")
    }
}
