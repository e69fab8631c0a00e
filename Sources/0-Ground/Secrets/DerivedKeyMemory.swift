import CValiseSodium
import Synchronization
import ValiseFailures

/// How a key is derived from a secret, by PBKDF2.
package struct KeyDerivation: Hashable, Sendable {
    /// The name of the hash function, as `SHA512`.
    package let hash: String
    package let iterations: Int
    package let salt: [UInt8]

    /// The size of a salt of SQLCipher's, in bytes.
    package static let saltSize = 16
    /// The size of a key of SQLCipher's, in bytes.
    package static let keySize = 32

    package init(hash: String, iterations: Int, salt: [UInt8]) {
        self.hash = hash
        self.iterations = iterations
        self.salt = salt
    }

    /// That of SQLCipher 4's defaults, which the official programs use.
    /// - Parameter salt: the first 16 bytes of the file.
    package static func sqlCipher4(salt: [UInt8]) -> Self {
        Self(hash: "SHA512", iterations: 256_000, salt: salt)
    }

    /// A salt for a new file.
    /// - Throws: ``SecretsError`` when libsodium cannot be initialized.
    package static func makeSalt() throws -> [UInt8] {
        guard sodium_init() >= 0 else { throw SecretsError(.failed, "cannot initialize libsodium") }
        var salt = [UInt8](repeating: 0, count: saltSize)
        unsafe randombytes_buf(&salt, salt.count)
        return salt
    }
}

/// Keys that were derived from one secret. They lie in guarded memory, and go with its last copy.
package final class DerivedKeyMemory: Sendable {
    private let keys = Mutex<[KeyDerivation: SharedSecret]>([:])

    /// A key that was derived before; nil where none was.
    package func key(_ derivation: KeyDerivation) -> SharedSecret? {
        keys.withLock { $0[derivation] }
    }

    /// Remembers a key.
    package func remember(_ key: SharedSecret, _ derivation: KeyDerivation) {
        keys.withLock { $0[derivation] = key }
    }
}
