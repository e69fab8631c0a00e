import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets

/// An account whose databases were restored, and whose other files are read in the snapshot.
final class DrilledStorage: AccountStorage {
    private let databases: AccountReader
    private let snapshot: SnapshotStorage

    init(_ databases: AccountReader, _ snapshot: SnapshotStorage) {
        self.databases = databases
        self.snapshot = snapshot
    }

    var kind: AccountStorageKind { .snapshot }
    var path: FilePath { snapshot.path }
    var holder: String? { nil }
    var media: any MediaStore & Sendable { snapshot.media }

    func stored(_ database: AccountDatabase) throws -> StoredDatabase? { try databases.find(database) }
    func missing(_ database: AccountDatabase) -> any Error { snapshot.missing(database) }

    func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource {
        try databases.source(
            of: database, passphrase: passphrase, alwaysFolds: alwaysFolds, progress: progress)
    }

    func unfolded(_ database: AccountDatabase) throws -> any ByteSource {
        try databases.unfolded(database)
    }
    func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? {
        try databases.fileToRead(of: database)
    }
    func ownFile(of database: AccountDatabase) throws -> DatabaseFile? {
        try databases.ownFile(of: database)
    }
    func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] { [] }

    var blocksPrograms: Bool { false }
    func releaseDatabases() { databases.releaseDatabases() }

    func entries() throws -> (entries: [AccountEntry], leftOut: [String]) { try snapshot.entries() }
    func source(of entry: AccountEntry) throws -> any ByteSource { try snapshot.source(of: entry) }

    func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] {
        try snapshot.checkContents(only: isWanted, progress: progress)
    }
}
