import CValiseSodium
import ValiseFailures
package import ValiseSecrets

extension Ed25519 {
    /// The public key of X25519 that belongs to one of Ed25519, 32 bytes; nil for what is no point, or one of a small order.
    package static func agreementKey(of publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == publicKeyByteCount else { return nil }
        var converted = [UInt8](repeating: 0, count: X25519.publicKeyByteCount)
        guard unsafe crypto_sign_ed25519_pk_to_curve25519(&converted, publicKey) == 0 else { return nil }
        return converted
    }

    /// The private key of X25519 that belongs to a seed of Ed25519.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func agreementSecret(of seed: SecretSeed) throws -> SecretSeed {
        try unsafe SecretSeed { secret in
            let target = unsafe secret.baseAddress!.assumingMemoryBound(to: UInt8.self)
            unsafe seed.withBytes { bytes in
                // The function reads only the first half of libsodium's longer form, which is the seed.
                _ = unsafe crypto_sign_ed25519_sk_to_curve25519(
                    target, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self))
            }
        }
    }
}
