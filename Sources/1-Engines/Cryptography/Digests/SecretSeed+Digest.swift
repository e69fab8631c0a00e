import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

extension SecretSeed {
    /// The SHA-256 of a secret, which is one itself and never leaves guarded memory.
    ///
    /// For formats that have no other key derivation: it makes a password no harder to try.
    /// - Throws: ``CryptographyError`` with `failed`; `SecretsError` when no guarded memory is available.
    package convenience init(sha256Of secret: borrowing SecretBytes) throws {
        try unsafe self.init { key in
            let isDigested = unsafe secret.withBytes { bytes in
                unsafe EVP_Digest(
                    bytes.baseAddress, bytes.count, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    EVP_sha256(), nil) == 1
            }
            guard isDigested else {
                throw CryptographyError(.failed, "cannot digest a secret: a system library failed")
            }
        }
    }
}
