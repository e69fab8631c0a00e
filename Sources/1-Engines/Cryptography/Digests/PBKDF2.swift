import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

extension SecretBytes {
    /// The key that PBKDF2 with HMAC derives from these bytes. What remembers its keys (``rememberingKeys()``) derives each once.
    ///
    /// - Parameters:
    ///   - derivation: the hash function, the salt, and how often.
    ///   - size: of the key, in bytes.
    /// - Throws: ``SecretsError``: `invalid` for numbers that libcrypto does not take, `failed`; when no guarded memory is
    ///   available.
    package borrowing func derivedKey(_ derivation: KeyDerivation, size: Int) throws -> SharedSecret {
        if let known = derivedKeys?.key(derivation) { return known }
        let key = SharedSecret(try derive(derivation, size: size))
        derivedKeys?.remember(key, derivation)
        return key
    }

    private borrowing func derive(_ derivation: KeyDerivation, size: Int) throws -> SecretBytes {
        guard let iterations = Int32(exactly: derivation.iterations), let length = Int32(exactly: count),
            let saltSize = Int32(exactly: derivation.salt.count), let keySize = Int32(exactly: size)
        else { throw SecretsError(.invalid, "key derivation parameters out of range") }
        return try unsafe SecretBytes(capacity: size) { memory in
            let result = unsafe withBytes { password in
                // Each account that is opened waits for this.
                let isDerived =
                    unsafe derivation.hash == "SHA512"
                    && valise_pbkdf2_sha512(
                        password.baseAddress, password.count, derivation.salt, derivation.salt.count,
                        UInt32(clamping: iterations), memory.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        size)
                if isDerived { return Int32(1) }
                return unsafe PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), length, derivation.salt,
                    saltSize, iterations, EVP_get_digestbyname(derivation.hash), keySize,
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
            guard result == 1 else {
                let reason = OpenSSLError.take()
                throw SecretsError(
                    .failed, "cannot derive a key" + (reason.map { ": \($0.description)" } ?? ""))
            }
            return size
        }
    }
}
