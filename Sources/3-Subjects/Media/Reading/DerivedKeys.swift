import Synchronization
public import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
public import ValiseDatabase
import ValiseFailures
public import ValiseFiles
import ValisePages
public import ValiseSecrets

/// The keys of both databases, derived once and side by side: each derivation takes as long as hundreds of megabytes
/// of work, and an act opens databases many times.
public final class DerivedKeys: Sendable {
    private let opened: [AccountDatabase: EncryptedDatabaseFile]
    /// Databases whose header asks for a write-ahead log although none lies beside them.
    public let hiddenLogs: Set<AccountDatabase>

    /// - Parameter passphrase: of both databases; empty where they are not encrypted.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; ``FileError``; `SecretsError`.
    public init(
        _ files: [AccountDatabase: DatabaseFile], passphrase: borrowing SecretBytes, fileSystem: FileSystem
    ) throws {
        let secret = SharedSecret(try passphrase.duplicate())
        let found = Mutex<[AccountDatabase: EncryptedDatabaseFile]>([:])
        let paths = files.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value.path) }
        try ParallelBatches.run(count: paths.count) {
        } work: { _, index in
            let (database, path) = paths[index]
            let source = try FileSource(path, fileSystem: fileSystem)
            let file = try ChatDatabase.open(source, passphrase: secret.bytes)
            found.withLock { $0[database] = file }
        }
        opened = found.withLock { $0 }
        hiddenLogs = Set(try opened.filter { try $0.value.asksForLog() }.keys)
    }

    /// Opens a database, or a copy of it that has the same salt.
    /// - Throws: ``DatabaseError``; `SecretsError`.
    public func connect(
        _ database: AccountDatabase, at path: FilePath, _ mode: AccessMode
    ) throws -> Connection {
        guard let file = opened[database] else {
            return try Connection(path, mode: mode, passphrase: SecretBytes.empty())
        }
        return try Connection(
            path, mode: mode, passphrase: try file.key.rawPassphrase(), cipher: file.settings.pragmas)
    }
}
