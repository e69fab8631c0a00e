package import ValiseAccounts
import ValiseCryptography
import ValiseFiles
package import ValiseSecrets

/// The keys of files of our own that belong to an account, such as its search index. Each comes from the account's own key, and
/// nobody who has it learns that one.
package enum AccountFileKey {
    /// One step further than the key of the database, which is derived already, so that it costs nothing.
    ///
    /// - Parameters:
    ///   - reader: of the account.
    ///   - passphrase: of the account; empty for an unencrypted one.
    ///   - label: another one for each kind of file.
    /// - Returns: 32 bytes; empty for an unencrypted account, whose files are not encrypted either.
    /// - Throws: `SecretsError`; errors of the account.
    package static func derived(
        _ reader: AccountReader, _ passphrase: borrowing SecretBytes, label: String
    ) throws -> SharedSecret {
        guard try reader.isEncrypted(.chat), !passphrase.isEmpty else {
            return SharedSecret(try SecretBytes.empty())
        }
        let step = KeyDerivation(hash: "SHA512", iterations: 1, salt: Array(label.utf8))
        guard !passphrase.looksLikeRawKey() else {
            return SharedSecret(
                try passphrase.derivedKey(step, size: KeyDerivation.keySize).bytes.duplicate())
        }
        let salt = try reader.unfolded(.chat).bytes(at: 0, upTo: KeyDerivation.saltSize)
        let own = try passphrase.derivedKey(.sqlCipher4(salt: salt), size: KeyDerivation.keySize)
        return SharedSecret(
            try own.bytes.derivedKey(step, size: KeyDerivation.keySize).bytes.duplicate())
    }
}
