import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

/// The two keys of one database file, derived from its passphrase and its salt.
package final class CipherKey: Sendable {
    /// 16 bytes, at the start of the file unless the header is unencrypted.
    package let salt: [UInt8]
    let encryption: SharedSecret
    let hmac: SecretBytes

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
    /// - Throws: ``PageCipherError``; `SecretsError` when no guarded memory is available.
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
            encryption = try Self.remembered(passphrase, salt, settings)
        }
        hmac = try Self.derive(
            encryption.bytes, self.salt.map { $0 ^ Self.hmacSaltMask }, settings.kdfAlgorithm,
            iterations: Self.hmacIterations)
    }

    /// A salt for a new file.
    /// - Throws: ``PageCipherError`` when the system has no randomness.
    package static func makeSalt() throws -> [UInt8] {
        try Randomness.bytes(CipherSettings.saltSize)
    }

    /// The key as SQLCipher takes it without deriving anything: `x'KEY SALT'` in hexadecimal.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func rawPassphrase() throws -> SecretBytes {
        try unsafe SecretBytes(capacity: 3 + 2 * (CipherSettings.keySize + CipherSettings.saltSize)) {
            memory in
            var position = 2
            func put(_ byte: UInt8) {
                for digit in [byte >> 4, byte & 15] {
                    unsafe memory[position] =
                        digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")
                    position += 1
                }
            }
            unsafe memory[0] = UInt8(ascii: "x")
            unsafe memory[1] = UInt8(ascii: "'")
            unsafe encryption.bytes.withBytes { unsafe $0.forEach(put) }
            salt.forEach(put)
            unsafe memory[position] = UInt8(ascii: "'")
            return position + 1
        }
    }

    private static func remembered(
        _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ settings: CipherSettings
    ) throws -> SharedSecret {
        let derivation = KeyDerivation(
            hash: settings.kdfAlgorithm.rawValue, iterations: settings.kdfIterations, salt: salt)
        if let known = passphrase.derivedKeys?.key(derivation) { return known }
        let key = SharedSecret(
            try derive(passphrase, salt, settings.kdfAlgorithm, iterations: settings.kdfIterations))
        passphrase.derivedKeys?.remember(key, derivation)
        return key
    }

    private static func derive(
        _ password: borrowing SecretBytes, _ salt: [UInt8], _ algorithm: HashAlgorithm, iterations: Int
    ) throws -> SecretBytes {
        guard let iterations = Int32(exactly: iterations), let length = Int32(exactly: password.count) else {
            throw PageCipherError(.invalid, "key derivation parameters out of range")
        }
        return try unsafe SecretBytes(capacity: CipherSettings.keySize) { memory in
            let result = unsafe password.withBytes { password in
                unsafe PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), length, salt,
                    Int32(salt.count), iterations, algorithm.digest, Int32(CipherSettings.keySize),
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
            guard result == 1 else { throw PageCipherError.library("derive a key") }
            return CipherSettings.keySize
        }
    }
}
