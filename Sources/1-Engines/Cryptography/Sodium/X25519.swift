import CValiseSodium
import ValiseFailures
package import ValiseSecrets

/// Key agreement of X25519: raw results, which are hashed by the cipher that uses them.
package enum X25519 {
    package static let publicKeyByteCount = 32

    /// The public key of a private one, 32 bytes.
    package static func publicKey(of secret: SecretSeed) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: publicKeyByteCount)
        unsafe secret.withBytes { bytes in
            _ = unsafe crypto_scalarmult_curve25519_base(
                &publicKey, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
        return publicKey
    }

    /// The secret of two parties, 32 bytes.
    ///
    /// - Parameters:
    ///   - secret: the private key of one.
    ///   - publicKey: that of the other, 32 bytes.
    /// - Throws: ``SodiumError``: `invalid` for a key of another length, or one that makes the result zero whatever the
    ///   private key is; `SecretsError` when no guarded memory is available.
    package static func sharedSecret(_ secret: SecretSeed, with publicKey: [UInt8]) throws -> SecretSeed {
        guard publicKey.count == publicKeyByteCount else {
            throw SodiumError(.invalid, "wrong public key length: expected 32 bytes, got \(publicKey.count)")
        }
        return try unsafe SecretSeed { shared in
            let result = unsafe secret.withBytes { bytes in
                unsafe crypto_scalarmult_curve25519(
                    shared.baseAddress!.assumingMemoryBound(to: UInt8.self),
                    bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), publicKey)
            }
            // libsodium refuses a result of zeros; the second look does not depend on its version.
            guard result == 0, unsafe sodium_is_zero(shared.baseAddress!, shared.count) == 0 else {
                throw SodiumError(.invalid, "invalid public key: no shared secret")
            }
        }
    }
}
