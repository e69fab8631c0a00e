import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

/// Authenticated encryption by AES-256 in Galois/counter mode (NIST SP 800-38D), the tag behind the encrypted bytes.
///
/// By libcrypto: libsodium has it only for processors with instructions for it. One object keeps the schedule of its key, for
/// a file of many small blocks.
@safe package struct AES256GCM: ~Copyable {
    private let context: OpaquePointer

    package static let nonceByteCount = 12
    /// How many bytes the tag at the end adds.
    package static let tagByteCount = 16

    /// - Throws: ``CryptographyError`` with `failed`.
    package init(key: SecretSeed) throws(CryptographyError) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Self.failure }
        let isReady = unsafe key.withBytes { key in
            unsafe EVP_CipherInit_ex(
                context, EVP_aes_256_gcm(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, 0)
                == 1
        }
        guard isReady else {
            unsafe EVP_CIPHER_CTX_free(context)
            OpenSSLError.clear()
            throw Self.failure
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// The encrypted bytes and their tag.
    /// - Parameter nonce: 12 bytes, which this key never has again.
    /// - Throws: ``CryptographyError``: `invalid` for another nonce, `failed`.
    package borrowing func seal(_ plaintext: [UInt8], nonce: [UInt8]) throws(CryptographyError) -> [UInt8] {
        defer { OpenSSLError.clear() }
        guard nonce.count == Self.nonceByteCount else {
            throw CryptographyError(.invalid, "wrong nonce length: expected 12 bytes, got \(nonce.count)")
        }
        var sealed = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        var count: Int32 = 0
        var rest: Int32 = 0
        guard unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce, 1) == 1,
            unsafe plaintext.isEmpty
                || EVP_CipherUpdate(context, &sealed, &count, plaintext, Int32(clamping: plaintext.count))
                    == 1,
            count == plaintext.count, unsafe EVP_CipherFinal_ex(context, nil, &rest) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), &tag) == 1
        else { throw Self.failure }
        return sealed + tag
    }

    /// Writes the decrypted bytes, once their tag was verified.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes and their tag.
    ///   - plaintext: exactly 16 bytes shorter.
    ///   - nonce: 12 bytes.
    /// - Returns: false where key, nonce or a bit of anything is another one. The buffer holds zeros then.
    package borrowing func open(
        _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
        nonce: UnsafeRawBufferPointer
    ) -> Bool {
        guard nonce.count == Self.nonceByteCount, sealed.count >= Self.tagByteCount,
            plaintext.count == sealed.count - Self.tagByteCount
        else { return false }
        if unsafe decrypt(sealed, plaintext, nonce) { return true }
        unsafe plaintext.initializeMemory(as: UInt8.self, repeating: 0)
        OpenSSLError.clear()
        return false
    }

    private borrowing func decrypt(
        _ sealed: UnsafeRawBufferPointer, _ plaintext: UnsafeMutableRawBufferPointer,
        _ nonce: UnsafeRawBufferPointer
    ) -> Bool {
        guard let start = unsafe sealed.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        let size = plaintext.count
        var tag = unsafe [UInt8](sealed[size...])
        var count: Int32 = 0
        var rest: Int32 = 0
        var end = [UInt8](repeating: 0, count: Self.tagByteCount)
        return unsafe EVP_CipherInit_ex(
            context, nil, nil, nil, nonce.baseAddress?.assumingMemoryBound(to: UInt8.self), 0) == 1
            && (size == 0
                || EVP_CipherUpdate(
                    context, plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), &count, start,
                    Int32(clamping: size)) == 1)
            && count == size
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), &tag) == 1
            && EVP_CipherFinal_ex(context, &end, &rest) == 1
    }

    private static var failure: CryptographyError {
        CryptographyError(.failed, "cannot use AES-256-GCM: a system library failed")
    }
}
