import SystemPackage
import ValiseFiles
package import ValiseSecrets

extension SessionBackup {
    /// The key of the database that the backup carries, verified by opening the database that it carries too: nothing is
    /// extracted for that.
    ///
    /// - Parameter password: of the backup.
    /// - Returns: 48 bytes, see ``PhoneKey``.
    /// - Throws: ``SessionStoreError``: `missing` where the backup has no key or no database; `wrongKey` where the key is
    ///   not the database's; `damaged`; errors of the source; `SecretsError`.
    package func verifiedKey(password: borrowing SecretBytes) throws -> PhoneKey {
        let key = try includedKey(password: password)
        let database = try content(of: SessionBackupEntry.database)
        guard try key.databaseKey().opens(database) else {
            throw SessionStoreError(
                .wrongKey, "the key in the backup does not open the database in the backup",
                database.path.string)
        }
        return key
    }

    /// The key of the database that the backup carries.
    /// - Throws: as ``verifiedKey(password:)``, but for what opening the database shows.
    package func includedKey(password: borrowing SecretBytes) throws -> PhoneKey {
        try PhoneKey(IncludedKey.read(content(of: SessionBackupEntry.key), password: password))
    }
}
