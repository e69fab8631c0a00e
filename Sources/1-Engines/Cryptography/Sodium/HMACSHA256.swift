import CValiseSodium
package import ValiseSecrets

extension SecretBytes {
    /// The HMAC with SHA-256 of a message under this key (RFC 2104), which may be the next key.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package borrowing func hmacSHA256(_ message: [UInt8]) throws -> SecretBytes {
        var state = crypto_auth_hmacsha256_state()
        // Its pads are made of the key.
        defer { unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
        // The memory of a secret is always there.
        unsafe withBytes { key in
            guard let start = key.baseAddress else { return }
            _ = unsafe crypto_auth_hmacsha256_init(
                &state, start.assumingMemoryBound(to: UInt8.self), key.count)
        }
        _ = unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        return try unsafe SecretBytes(capacity: 32) { memory in
            guard let target = memory.baseAddress else { return 0 }
            _ = unsafe crypto_auth_hmacsha256_final(&state, target.assumingMemoryBound(to: UInt8.self))
            return 32
        }
    }
}
