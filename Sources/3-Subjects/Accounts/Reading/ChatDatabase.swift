import SystemPackage
package import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// Opens databases where their bytes are, for reading, under whatever cipher settings they have.
package enum ChatDatabase {
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; `DatabaseError`; errors of the source.
    package static func connect(
        _ source: any ByteSource, passphrase: borrowing SecretBytes
    ) throws -> Connection {
        guard let file = try open(source, passphrase: passphrase) else {
            return try Connection(source, passphrase: SecretBytes.empty())
        }
        return try Connection(
            source, passphrase: try file.key.rawPassphrase(), cipher: file.settings.pragmas)
    }

    /// Whether an encrypted database's header asks for a write-ahead log, without opening it as SQLite does. Of a plain
    /// one, which is false here, ``DatabaseFile`` tells without a passphrase.
    /// - Throws: as ``connect(_:passphrase:)``.
    package static func asksForLog(
        _ source: any ByteSource, passphrase: borrowing SecretBytes
    ) throws -> Bool {
        try open(source, passphrase: passphrase)?.asksForLog() ?? false
    }

    /// The pages of a database.
    /// - Returns: nil for an unencrypted database.
    /// - Throws: as ``connect(_:passphrase:)``.
    package static func open(
        _ source: any ByteSource, passphrase: borrowing SecretBytes
    ) throws -> EncryptedDatabaseFile? {
        let result = try CipherIdentification.identify(source, passphrase: passphrase)
        switch result.verdict {
        case .unencrypted: return nil
        case .right, .firstPageDamaged:
            if let file = result.file { return file }
        case .wrong:
            throw AccountMediaError(
                .wrongPassphrase, "wrong passphrase", subject: source.path.string)
        case .notSQLCipher: break
        }
        throw AccountMediaError(
            .damaged, "not a database, or its first page is lost", subject: source.path.string)
    }
}
