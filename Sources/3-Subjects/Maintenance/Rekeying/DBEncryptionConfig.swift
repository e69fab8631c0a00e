import SystemPackage
import ValiseAccounts
import ValiseFailures
package import ValiseSecrets

/// What a change of passphrase starts from and ends with: `DBEncryptionConfig` of the official programs.
package final class DBEncryptionConfig: Sendable {
    /// Empty where the databases are not encrypted.
    package let currentKey: SecretBytes
    /// Empty where they shall not be encrypted.
    package let newKey: SecretBytes

    package init(currentKey: consuming SecretBytes, newKey: consuming SecretBytes) {
        self.currentKey = currentKey
        self.newKey = newKey
    }

    /// Whether there is nothing to change.
    var isUnchanged: Bool { currentKey.equals(newKey) }

    func check(_ directory: FilePath) throws(RekeyError) {
        guard unsafe !currentKey.withBytes({ unsafe $0.contains(0) }),
            unsafe !newKey.withBytes({ unsafe $0.contains(0) })
        else {
            throw .writing(
                .invalid, "a passphrase cannot contain a NUL byte: the official apps would cut it there",
                directory)
        }
    }

    /// What has to be done, or in the official terms why it cannot be.
    func conversion(of files: [AccountDatabase: DatabaseFile]) throws(RekeyError) -> RekeyConversion {
        for database in AccountDatabase.allCases {
            guard let file = files[database] else { continue }
            switch file.form {
            case .unencrypted where !currentKey.isEmpty:
                throw RekeyError(
                    .wrongPassphrase,
                    "the database is not encrypted, but a current passphrase was given. "
                        + "Nothing was changed.", file.path, .errorPlaintext)
            case .encrypted where currentKey.isEmpty:
                throw RekeyError(
                    .wrongPassphrase,
                    "the database is encrypted, but no current passphrase was given. "
                        + "Nothing was changed.", file.path, .errorEncrypted)
            case .empty, .unknown, .missing:
                throw RekeyError(
                    .damaged,
                    "not a complete database. Nothing was changed.", file.path,
                    .errorExport(sqliteError: .errorNotADatabase),
                    remedy: .salvageAccount(Remedy.Account(ofDatabase: file.path)))
            case .unencrypted, .encrypted: break
            }
        }
        switch (currentKey.isEmpty, newKey.isEmpty) {
        case (false, false): return .rekey
        case (true, false): return .encrypt
        case (false, true): return .decrypt
        case (true, true): return .none
        }
    }
}
