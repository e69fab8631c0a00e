import Synchronization
package import SystemPackage
import ValiseConcurrency
package import ValiseDatabase
import ValiseFailures
package import ValiseFiles
import ValisePages
package import ValiseSecrets

/// The keys of both databases, derived once and side by side: each derivation takes as long as hundreds of megabytes
/// of work, and an operation opens databases many times.
package final class DerivedKeys: Sendable {
    private let sources: [AccountDatabase: any ByteSource]
    private let opened: [AccountDatabase: EncryptedDatabaseFile]
    /// Databases whose header asks for a write-ahead log although none lies beside them.
    package let hiddenLogs: Set<AccountDatabase>

    /// - Parameters:
    ///   - files: the databases.
    ///   - passphrase: of both databases; empty where they are not encrypted.
    ///   - fileSystem: where files are read and written.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; `FileError`; `SecretsError`.
    package convenience init(
        _ files: [AccountDatabase: DatabaseFile], passphrase: borrowing SecretBytes, fileSystem: FileSystem
    ) throws {
        try self.init(
            files.mapValues { try FileSource($0.path, fileSystem: fileSystem) as any ByteSource },
            passphrase: passphrase)
    }

    /// - Parameters:
    ///   - sources: what is not encrypted needs no key.
    ///   - passphrase: of both databases; empty where they are not encrypted.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; errors of the sources; `SecretsError`.
    package init(_ sources: [AccountDatabase: any ByteSource], passphrase: borrowing SecretBytes) throws {
        let secret = SharedSecret(try passphrase.duplicate())
        let found = Mutex<[AccountDatabase: EncryptedDatabaseFile]>([:])
        let ordered = sources.sorted { $0.key.rawValue < $1.key.rawValue }
        try ParallelBatches.run(count: ordered.count) {
        } work: { _, index in
            let file = try ChatDatabase.open(ordered[index].value, passphrase: secret.bytes)
            found.withLock { $0[ordered[index].key] = file }
        }
        self.sources = sources
        opened = found.withLock { $0 }
        hiddenLogs = Set(try opened.filter { try $0.value.asksForLog() }.keys)
    }

    /// Opens a database where its bytes are, for reading.
    /// - Throws: ``AccountMediaError`` with `damaged` for one that was not given; `DatabaseError`; `SecretsError`.
    package func connect(_ database: AccountDatabase) throws -> Connection {
        guard let source = sources[database] else {
            throw AccountMediaError(.damaged, "the \(database.rawValue) database is missing")
        }
        guard let file = opened[database] else {
            return try Connection(source, passphrase: SecretBytes.empty())
        }
        return try Connection(
            source, passphrase: try file.key.rawPassphrase(), cipher: file.settings.pragmas)
    }

    /// Opens a database, or a copy of it that has the same salt.
    /// - Throws: `DatabaseError`; `SecretsError`.
    package func connect(
        _ database: AccountDatabase, at path: FilePath, _ mode: AccessMode
    ) throws -> Connection {
        guard let file = opened[database] else {
            return try Connection(path, mode: mode, passphrase: SecretBytes.empty())
        }
        return try Connection(
            path, mode: mode, passphrase: try file.key.rawPassphrase(), cipher: file.settings.pragmas)
    }
}
