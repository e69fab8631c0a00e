import CValiseOpenSSL
import CValiseSodium
import ValiseSecrets

/// ChaCha20-Poly1305 by OpenSSL, which uses wider vector instructions than libsodium: about twice as fast for long messages, and
/// slower for short ones.
enum WideChaCha20Poly1305 {
    /// From which length on it is the faster one, in bytes.
    static let leastByteCount = 16 << 10

    private static let subkeyByteCount = 32
    private static let tagByteCount = 16

    /// Calls a closure with what the extended nonce makes of the key and of itself (`draft-irtf-cfrg-xchacha`, section 2.3).
    ///
    /// - Parameter nonce: 24 bytes.
    private static func withSubkey(
        _ key: UnsafeRawBufferPointer, _ nonce: UnsafeRawBufferPointer,
        _ body: (_ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>) -> Bool
    ) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: subkeyByteCount) { subkey in
            let start = subkey.baseAddress!
            defer { unsafe sodium_memzero(start, subkeyByteCount) }
            let bytes = unsafe nonce.baseAddress!.assumingMemoryBound(to: UInt8.self)
            guard
                unsafe crypto_core_hchacha20(
                    start, bytes, key.baseAddress!.assumingMemoryBound(to: UInt8.self), nil) == 0
            else { return false }
            let short = unsafe [0, 0, 0, 0] + nonce[16..<24]
            return unsafe body(start, short)
        }
    }

    /// Writes the encrypted bytes and their tag.
    /// - Returns: false where there is no memory for it, and nothing was written.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, additional: [UInt8]
    ) -> Bool {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let isReady = unsafe withSubkey(key, nonce) { key, nonce in
            unsafe EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
        }
        guard isReady else { return false }
        var count: CInt = 0
        let target = unsafe sealed.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let source = unsafe plaintext.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let tag = unsafe target + plaintext.count
        return unsafe EVP_EncryptUpdate(context, nil, &count, additional, CInt(additional.count)) == 1
            && EVP_EncryptUpdate(context, target, &count, source, CInt(plaintext.count)) == 1
            && EVP_EncryptFinal_ex(context, tag, &count) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagByteCount), tag) == 1
    }

    /// Writes the decrypted bytes, which are zeros where the tag is another one.
    /// - Returns: nil where there is no memory for it, and nothing was written.
    static func open(
        _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, additional: [UInt8]
    ) -> Bool? {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let source = unsafe sealed.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let target = unsafe plaintext.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let isReady = unsafe withSubkey(key, nonce) { key, nonce in
            unsafe EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
                && EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_SET_TAG, CInt(tagByteCount),
                    UnsafeMutablePointer(mutating: source + plaintext.count)) == 1
        }
        guard isReady else { return nil }
        var count: CInt = 0
        let isOpen =
            unsafe EVP_DecryptUpdate(context, nil, &count, additional, CInt(additional.count)) == 1
            && EVP_DecryptUpdate(context, target, &count, source, CInt(plaintext.count)) == 1
            && EVP_DecryptFinal_ex(context, target + plaintext.count, &count) == 1
        if !isOpen {
            unsafe plaintext.initializeMemory(as: UInt8.self, repeating: 0)
            OpenSSLError.clear()
        }
        return isOpen
    }
}
