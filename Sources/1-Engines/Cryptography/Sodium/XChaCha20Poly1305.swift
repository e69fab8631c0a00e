import CValiseSodium
package import ValiseSecrets

/// Authenticated encryption by XChaCha20-Poly1305 (`draft-irtf-cfrg-xchacha`), the tag behind the encrypted bytes.
///
/// A nonce is long enough to be random, whatever is encrypted with one key.
package enum XChaCha20Poly1305 {
    package static let keyByteCount = 32
    package static let nonceByteCount = 24
    /// How many bytes the tag at the end adds.
    package static let tagByteCount = 16

    /// A fresh random nonce, 24 bytes.
    package static func randomNonce() -> [UInt8] { SecretBox.randomNonce() }

    /// Writes the encrypted bytes and their tag.
    ///
    /// - Parameters:
    ///   - plaintext: what is encrypted.
    ///   - sealed: exactly 16 bytes longer; it may begin where the plaintext begins.
    ///   - key: the secret.
    ///   - nonce: 24 bytes.
    ///   - additional: is authenticated and not encrypted.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer, key: SecretSeed,
        nonce: UnsafeRawBufferPointer, additional: [UInt8] = []
    ) {
        precondition(nonce.count == nonceByteCount && sealed.count == plaintext.count + tagByteCount)
        unsafe key.withBytes { key in
            if isLong(plaintext.count),
                unsafe WideChaCha20Poly1305.seal(
                    plaintext, into: sealed, key: key, nonce: nonce, additional: additional)
            {
                return
            }
            // It fails for no input.
            _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                sealed.baseAddress!.assumingMemoryBound(to: UInt8.self), nil,
                plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(plaintext.count),
                additional, UInt64(additional.count), nil,
                nonce.baseAddress!.assumingMemoryBound(to: UInt8.self),
                key.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
    }

    private static func isLong(_ count: Int) -> Bool {
        count >= WideChaCha20Poly1305.leastByteCount && count <= CInt.max
    }

    /// Writes the decrypted bytes.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted bytes and their tag.
    ///   - plaintext: exactly 16 bytes shorter; it may begin where the encrypted bytes begin.
    ///   - key: the secret.
    ///   - nonce: 24 bytes.
    ///   - additional: as it was when they were sealed.
    /// - Returns: false where key, nonce or a bit of anything is another one. No plaintext is there then: nothing was written, or
    ///   zeros.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer, key: SecretSeed,
        nonce: UnsafeRawBufferPointer, additional: [UInt8] = []
    ) -> Bool {
        guard nonce.count == nonceByteCount, sealed.count >= tagByteCount,
            plaintext.count == sealed.count - tagByteCount
        else { return false }
        return unsafe key.withBytes { key in
            if isLong(plaintext.count),
                let isOpen = unsafe WideChaCha20Poly1305.open(
                    sealed, into: plaintext, key: key, nonce: nonce, additional: additional)
            {
                return isOpen
            }
            return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil,
                sealed.baseAddress!.assumingMemoryBound(to: UInt8.self), UInt64(sealed.count), additional,
                UInt64(additional.count), nonce.baseAddress!.assumingMemoryBound(to: UInt8.self),
                key.baseAddress!.assumingMemoryBound(to: UInt8.self)) == 0
        }
    }
}

extension XChaCha20Poly1305 {
    /// The encrypted bytes and their tag.
    /// - Parameter nonce: 24 bytes.
    package static func seal(
        _ plaintext: [UInt8], key: SecretSeed, nonce: [UInt8], additional: [UInt8] = []
    ) -> [UInt8] {
        let size = plaintext.count + tagByteCount
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            let sealed = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(memory)[..<size])
            unsafe plaintext.withUnsafeBytes { plaintext in
                unsafe nonce.withUnsafeBytes { nonce in
                    unsafe seal(plaintext, into: sealed, key: key, nonce: nonce, additional: additional)
                }
            }
            count = size
        }
    }

    /// The decrypted bytes; nil where key, nonce or a bit of anything is another one.
    package static func open(
        _ sealed: [UInt8], key: SecretSeed, nonce: [UInt8], additional: [UInt8] = []
    ) -> [UInt8]? {
        guard sealed.count >= tagByteCount else { return nil }
        var plaintext = [UInt8](repeating: 0, count: sealed.count - tagByteCount)
        let isOpen = unsafe plaintext.withUnsafeMutableBytes { plaintext in
            unsafe sealed.withUnsafeBytes { sealed in
                unsafe nonce.withUnsafeBytes { nonce in
                    unsafe open(sealed, into: plaintext, key: key, nonce: nonce, additional: additional)
                }
            }
        }
        return isOpen ? plaintext : nil
    }
}
