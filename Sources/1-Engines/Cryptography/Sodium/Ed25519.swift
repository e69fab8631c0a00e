import CValiseSodium
package import ValiseSecrets

/// Signatures of Ed25519, by keys of 32 secret bytes (the seed; libsodium's longer form is made for each signature
/// and wiped).
package enum Ed25519 {
    package static let publicKeyByteCount = 32
    package static let signatureByteCount = 64

    /// The public key of a seed, 32 bytes.
    package static func publicKey(of seed: SecretSeed) -> [UInt8] {
        unsafe withKeyPair(of: seed) { publicKey, _ in publicKey }
    }

    /// The signature of `message`, 64 bytes.
    package static func sign(_ message: [UInt8], with seed: SecretSeed) -> [UInt8] {
        unsafe withKeyPair(of: seed) { _, secretKey in
            var signature = [UInt8](repeating: 0, count: signatureByteCount)
            unsafe crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), secretKey)
            return signature
        }
    }

    /// Whether `signature` is one of `message` by the owner of a key. Never, where a length is wrong.
    package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        unsafe signature.count == signatureByteCount && publicKey.count == publicKeyByteCount
            && crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    private static func withKeyPair<Result>(
        of seed: SecretSeed, _ body: ([UInt8], UnsafePointer<UInt8>) -> Result
    ) -> Result {
        unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: Int(crypto_sign_ed25519_SECRETKEYBYTES)
        ) {
            memory in
            let secretKey = memory.baseAddress!
            defer { unsafe sodium_memzero(secretKey, memory.count) }
            var publicKey = [UInt8](repeating: 0, count: publicKeyByteCount)
            unsafe seed.withBytes { bytes in
                let seed = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
                _ = unsafe crypto_sign_ed25519_seed_keypair(&publicKey, secretKey, seed)
            }
            return unsafe body(publicKey, secretKey)
        }
    }
}
