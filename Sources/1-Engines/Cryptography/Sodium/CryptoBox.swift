import CValiseSodium
package import ValiseSecrets

/// The authenticator of a command by a key of X25519 (XFTP fact sheet, §4.4): NaCl's box of the command's SHA-512.
package enum CryptoBox {
    /// The tag, then the encrypted digest.
    package static let authenticatorByteCount = SecretBox.tagByteCount + digestByteCount
    private static let digestByteCount = 64

    /// - Parameters:
    ///   - bytes: what is authorized.
    ///   - secret: what both parties agreed on by ``X25519``.
    ///   - nonce: made 24 bytes long by zeros, or cut.
    /// - Returns: 80 bytes.
    package static func authenticator(of bytes: [UInt8], secret: SecretSeed, nonce: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestByteCount)
        unsafe crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
        var authenticator = [UInt8](repeating: 0, count: authenticatorByteCount)
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SecretBox.keyByteCount) { memory in
            let key = memory.baseAddress!
            defer { unsafe sodium_memzero(key, memory.count) }
            unsafe secret.withBytes { bytes in
                let zeros = [UInt8](repeating: 0, count: 16)
                _ = unsafe crypto_core_hsalsa20(
                    key, zeros, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), nil)
            }
            _ = unsafe crypto_secretbox_easy(
                &authenticator, digest, UInt64(digest.count), SecretBox.nonce(from: nonce), key)
        }
        return authenticator
    }

    /// Whether an authenticator is that of the bytes, compared in constant time.
    package static func isAuthenticator(
        _ claimed: [UInt8], of bytes: [UInt8], secret: SecretSeed, nonce: [UInt8]
    ) -> Bool {
        // The same bytes have one authenticator, so no decryption is needed.
        let expected = authenticator(of: bytes, secret: secret, nonce: nonce)
        return unsafe claimed.count == expected.count && sodium_memcmp(claimed, expected, expected.count) == 0
    }
}
