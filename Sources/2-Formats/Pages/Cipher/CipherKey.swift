import ValiseCryptography
import ValiseFailures
package import ValiseSecrets

/// The two keys of one database file, derived from its passphrase and its salt.
package final class CipherKey: Sendable {
    /// 16 bytes, at the start of the file unless the header is unencrypted.
    package let salt: [UInt8]
    let encryption: SharedSecret
    let hmac: SharedSecret

    /// Every byte of the salt is combined with this before the key of the HMAC is derived.
    private static let hmacSaltMask: UInt8 = 0x3a
    private static let hmacIterations = 2

    /// Derives both keys, which takes as long as the iterations ask for: about 0.2 s for format 4. A passphrase that
    /// remembers its keys spends that once (`SecretBytes.rememberingKeys()`).
    ///
    /// A passphrase `x'…'` with 64 hexadecimal digits is the key itself; with 96 the salt follows the key and
    /// takes the place of `salt`, as SQLCipher does.
    ///
    /// - Parameters:
    ///   - passphrase: any bytes but none.
    ///   - salt: of the file; 16 bytes.
    ///   - settings: how the key is derived, and what pages look like.
    /// - Throws: ``PageCipherError``; `SecretsError`.
    package init(
        passphrase: borrowing SecretBytes, salt: [UInt8], settings: CipherSettings
    ) throws {
        guard salt.count == CipherSettings.saltSize, !passphrase.isEmpty else {
            throw PageCipherError(.invalid, "a passphrase and a 16-byte salt are required")
        }
        if let raw = try RawKey.parse(passphrase) {
            self.salt = raw.salt ?? salt
            encryption = SharedSecret(try raw.key.duplicate())
        } else {
            self.salt = salt
            encryption = try passphrase.derivedKey(
                KeyDerivation(
                    hash: settings.kdfAlgorithm.rawValue, iterations: settings.kdfIterations, salt: salt),
                size: CipherSettings.keySize)
        }
        hmac = try encryption.bytes.derivedKey(
            KeyDerivation(
                hash: settings.kdfAlgorithm.rawValue, iterations: Self.hmacIterations,
                salt: self.salt.map { $0 ^ Self.hmacSaltMask }),
            size: CipherSettings.keySize)
    }

    /// The key as SQLCipher takes it without deriving anything: `x'KEY SALT'` in hexadecimal.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func rawPassphrase() throws -> SecretBytes { try encryption.bytes.rawKey(salt: salt) }
}
