import CValiseSodium
package import ValiseSecrets

/// Authenticated encryption by ChaCha20-Poly1305 (RFC 8439), the tag behind the encrypted bytes.
///
/// For keys that seal one message each, or count: a nonce of 12 bytes is too short to be random.
package enum ChaCha20Poly1305 {
    package static let nonceByteCount = 12
    /// How many bytes the tag at the end adds.
    package static let tagByteCount = 16

    /// Writes the encrypted bytes and their tag.
    ///
    /// - Parameters:
    ///   - plaintext: what is encrypted.
    ///   - sealed: exactly 16 bytes longer.
    ///   - key: the secret.
    ///   - nonce: 12 bytes, which this key never has again.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer, key: SecretSeed,
        nonce: [UInt8]
    ) {
        precondition(nonce.count == nonceByteCount && sealed.count == plaintext.count + tagByteCount)
        unsafe key.withBytes { key in
            // It fails for no input.
            _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                sealed.baseAddress!.assumingMemoryBound(to: UInt8.self), nil,
                plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(plaintext.count), nil, 0,
                nil, nonce, key.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Writes the decrypted bytes, once their tag was verified.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes and their tag.
    ///   - plaintext: exactly 16 bytes shorter.
    ///   - key: the secret.
    ///   - nonce: 12 bytes.
    /// - Returns: false where key, nonce or a bit of anything is another one. No plaintext was written then.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer, key: SecretSeed,
        nonce: [UInt8]
    ) -> Bool {
        guard nonce.count == nonceByteCount, sealed.count >= tagByteCount,
            plaintext.count == sealed.count - tagByteCount
        else { return false }
        return unsafe key.withBytes { key in
            unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
                plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil,
                sealed.baseAddress!.assumingMemoryBound(to: UInt8.self), UInt64(sealed.count), nil, 0, nonce,
                key.baseAddress!.assumingMemoryBound(to: UInt8.self)) == 0
        }
    }
}
