import CValiseSodium
import ValiseFailures

/// The cipher of CryptoFile (SimpleX's data model): XSalsa20-Poly1305 under a key that is hashed once more,
/// with the tag behind the bytes instead of before them.
package enum SecretBox {
    /// How many bytes a key has.
    package static let keyByteCount = 32
    /// How many bytes a nonce has.
    package static let nonceByteCount = 24
    /// How many bytes the tag at the end adds.
    package static let tagByteCount = 16

    /// Encrypts `bytes` where they are, and appends the tag.
    ///
    /// In place, so that a file of some megabytes is not in memory twice.
    /// - Throws: ``SodiumError`` with `invalid` for a key or nonce of another length.
    package static func sealWithTagAtEnd(
        _ bytes: inout [UInt8], key: [UInt8], nonce: [UInt8]
    ) throws(SodiumError) {
        guard key.count == keyByteCount, nonce.count == nonceByteCount else {
            throw SodiumError(.invalid, "wrong key or nonce length")
        }
        guard sodium_init() >= 0 else { throw SodiumError(.failed, "cannot initialize libsodium") }
        var derived = hashedKey(key)
        defer { unsafe sodium_memzero(&derived, derived.count) }
        let count = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: tagByteCount))
        let result = unsafe bytes.withUnsafeMutableBufferPointer { memory -> Int32 in
            guard let start = memory.baseAddress else { return -1 }
            // libsodium allows input and output to be the same memory.
            return unsafe crypto_secretbox_detached(
                start, start + count, start, UInt64(count), nonce, derived)
        }
        guard result == 0 else { throw SodiumError(.failed, "encryption failed") }
    }

    /// HSalsa20 of the key and 16 zeros: the step that plain `crypto_secretbox` does not have.
    static func hashedKey(_ key: [UInt8]) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: keyByteCount)
        let zeros = [UInt8](repeating: 0, count: 16)
        unsafe crypto_core_hsalsa20(&derived, zeros, key, nil)
        return derived
    }

    // MARK: Nonces

    /// A fresh random one, 24 bytes.
    package static func randomNonce() -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: nonceByteCount)
        unsafe randombytes_buf(&nonce, nonce.count)
        return nonce
    }

    /// Bytes of any length as the protocol makes a nonce of them: 24, with zeros behind, or cut.
    package static func nonce(from bytes: [UInt8]) -> [UInt8] {
        bytes.prefix(nonceByteCount) + [UInt8](repeating: 0, count: max(0, nonceByteCount - bytes.count))
    }
}
