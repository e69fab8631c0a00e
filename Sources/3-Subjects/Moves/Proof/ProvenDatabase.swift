import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValisePages
import ValiseSecrets

/// A database whose content is digested. Several threads read it, each on a connection of its own.
struct ProvenDatabase: Sendable {
    let database: AccountDatabase
    private let source: any ByteSource
    /// Nil where it is not encrypted.
    private let encrypted: EncryptedDatabaseFile?
    /// Set where the HMACs of all pages hold: they are not looked at again then.
    private var soundness: PageVerification?

    /// Derives the key.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`, `damaged`; ``FileError``; `SecretsError`.
    init(
        _ database: AccountDatabase, _ source: any ByteSource, passphrase: borrowing SecretBytes
    ) throws {
        self.database = database
        self.source = source
        let result = try CipherIdentification.identify(source, passphrase: passphrase)
        encrypted = result.file
        switch result.verdict {
        case .unencrypted, .right, .firstPageDamaged: break
        case .wrong:
            throw DeviceMigrationError(
                .wrongPassphrase, "wrong passphrase", subject: source.path.string)
        case .notSQLCipher:
            throw DeviceMigrationError(
                .damaged, "not a database, or its first page is damaged", subject: source.path.string)
        }
    }

    /// In bytes.
    var size: Int64 { source.size }
    /// How many bytes ``verify(progress:)`` reads.
    var verifiedSize: Int64 { encrypted == nil ? 0 : size }

    /// Checks all pages, many at once: SQLCipher would do it one by one.
    /// - Throws: errors of the source; ``PageCipherError``; whatever `progress` throws.
    mutating func verify(progress: (Int64) throws -> Void) throws {
        guard let encrypted else { return }
        let found = try encrypted.verify(progress: progress)
        // With a damaged page, SQLCipher tells whether it is one of a table.
        soundness = found.isSound ? found : nil
    }

    /// - Throws: ``DeviceMigrationError`` with `damaged`; ``DatabaseError``; errors of the source.
    func connect() throws -> OpenConnection {
        do {
            guard let encrypted else {
                return OpenConnection(try Connection(source, passphrase: try SecretBytes.empty()))
            }
            if let soundness, let decrypted = try DecryptedSource(encrypted, soundness) {
                return OpenConnection(try Connection(decrypted, passphrase: try SecretBytes.empty()))
            }
            return OpenConnection(
                try Connection(
                    source, passphrase: try encrypted.key.rawPassphrase(), cipher: encrypted.settings.pragmas)
            )
        } catch let error as DatabaseError {
            throw unreadable("the \(database.rawValue) database", error)
        }
    }

    /// - Parameter part: what could not be read.
    func unreadable(_ part: String, _ error: DatabaseError) -> any Error {
        if let failure = error.sourceFailure { return failure }
        if error.isTooBig {
            return DeviceMigrationError(
                .unsupported,
                "\(part) has a row larger than \(Count.bytes(Int64(Connection.longestValue))), which cannot be "
                    + "fingerprinted", subject: source.path.string, cause: error)
        }
        if [.interrupted, .noSpace, .inUse, .unsupported].contains(error.code) { return error }
        return DeviceMigrationError(
            .damaged, "cannot read \(part), so no fingerprint can be computed", subject: source.path.string,
            cause: error, remedy: .checkAccount(Remedy.Account(ofDatabase: source.path)))
    }
}

/// A connection that can be kept in a collection.
final class OpenConnection {
    let connection: Connection

    init(_ connection: consuming Connection) {
        self.connection = connection
    }
}
