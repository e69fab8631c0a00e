import ValiseCryptography
package import ValiseSecrets

/// The master key of a store, 32 bytes: it wraps the keys of files.
package struct StoreKey: Sendable {
    package let secret: SecretSeed

    package init(_ secret: SecretSeed) { self.secret = secret }

    /// A new random one.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func random() throws -> StoreKey { StoreKey(try SecretSeed()) }

    /// Compares in constant time.
    package func equals(_ other: StoreKey) -> Bool { secret.equals(other.secret) }
}

extension StoreKey {
    private static let passphraseRule = Argon2id(passes: 3, kibibytes: 64 << 10, lanes: 4)
    private static let phraseRule = Argon2id(passes: 2, kibibytes: 16 << 10, lanes: 1)
    private static let phraseSalt = Array("tcfs-recovery-v1".utf8)
    /// Fewer words are a passphrase.
    private static let leastPhraseWords = 12

    /// The key of a passphrase: Argon2id with 64 MiB, three passes and four lanes.
    ///
    /// - Parameter passphrase: UTF-8, as it was typed: tcfs does not normalize it.
    /// - Throws: ``ContentStoreError``: `invalid` for an empty passphrase or an invalid salt; `CryptographyError`; `SecretsError`.
    package static func derived(
        passphrase: borrowing SecretBytes, salt: SaltForm
    ) throws -> StoreKey {
        guard !passphrase.isEmpty else { throw ContentStoreError(.invalid, "the passphrase is empty") }
        return StoreKey(try passphraseRule.key(passphrase, salt: salt.bytes()))
    }

    /// The key of a recovery phrase: Argon2id of its text with 16 MiB, two passes and a salt that is always the same.
    ///
    /// - Throws: `CryptographyError`; `SecretsError`.
    package static func derived(phrase: RecoveryPhrase) throws -> StoreKey {
        StoreKey(try phraseRule.key(phrase.text.bytes, salt: phraseSalt))
    }

    /// As newer versions of tcfs choose between the two: twelve words or more, between blanks of any kind, are a recovery phrase.
    ///
    /// - Parameters:
    ///   - secret: UTF-8.
    ///   - salt: for a passphrase; a recovery phrase needs none.
    /// - Throws: ``ContentStoreError``: `invalid` for an invalid phrase, passphrase or salt, and where a passphrase has none;
    ///   `CryptographyError`; `SecretsError`.
    package static func derived(
        passphraseOrPhrase secret: borrowing SecretBytes, salt: SaltForm?
    ) throws -> StoreKey {
        let words = unsafe secret.withBytes { unsafe RecoveryPhrase.countWords($0) }
        if words >= leastPhraseWords {
            return try derived(phrase: try RecoveryPhrase(secret))
        }
        guard let salt else {
            throw ContentStoreError(.invalid, "a key cannot be derived from a passphrase without its salt")
        }
        return try derived(passphrase: secret, salt: salt)
    }
}
