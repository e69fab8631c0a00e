import Synchronization
package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseRepository
package import ValiseSecrets
import ValiseStorage

/// The parts of an account in a snapshot, read where they are: `AccountReader(SnapshotStorage(…))`.
///
/// Databases that are kept open are unencrypted ones, and need no passphrase.
package final class SnapshotStorage: AccountStorage {
    /// What a file is.
    struct File: Sendable {
        let size: Int64
        let modified: UTCTime?
        let content: [ContentID]
    }

    /// What it says of itself; nil where Valise did not make it.
    package let metadata: BackupMetadata?
    /// Such as `/backups/chat::1f2e3d4c`.
    package let name: String
    /// The name, where that is a path. Two slashes of an address become one in a path: then the ID alone.
    package let path: FilePath

    private let repository: Repository
    /// Held as long as it is read.
    private let lock: RepositoryLock?
    private let files: [String: File]
    private let leftOut: [String]
    private let cache = BlobCache(capacity: cacheSize)
    private let opened = Mutex<[AccountDatabase: BlobSource]>([:])

    /// In bytes, of all files of the snapshot together.
    private static let cacheSize = 32 << 20

    /// - Parameters:
    ///   - repository: with its index loaded.
    ///   - snapshot: one of it.
    ///   - place: of the repository, as the user writes it; nil for where it is.
    ///   - lock: is released when the account is not read any more.
    /// - Throws: ``BackupError``: `notFound` where no account is in it, `damaged`, `newer`; `RepositoryError`; `StorageError`.
    package init(
        _ repository: Repository, _ snapshot: StoredSnapshot, at place: String? = nil,
        lock: RepositoryLock? = nil
    ) throws {
        self.repository = repository
        self.lock = lock
        let name = "\(place ?? repository.store.location)::\(snapshot.id)"
        self.name = name
        path = FilePath(FilePath(name).string == name ? name : "\(snapshot.id)")
        let tree = try SnapshotTree(repository, snapshot)
        metadata = try tree.metadata()
        var files: [String: File] = [:]
        var leftOut: [String] = []
        try tree.forEach { path, node in
            let name = String(decoding: path, as: UTF8.self)
            guard !name.utf8.starts(with: "\(BackupMetadata.folder)/".utf8), node.kind != .folder else {
                return
            }
            guard node.kind == .file, let content = node.content, name.utf8.elementsEqual(path) else {
                leftOut.append(name)
                return
            }
            files[name] = File(
                size: Int64(clamping: node.size),
                modified: node.modified == TreeNode.noTime ? nil : node.modified.utc, content: content)
        }
        self.files = files
        self.leftOut = leftOut
    }

    deinit { lock?.release() }

    /// A snapshot.
    package var kind: AccountStorageKind { .snapshot }
    /// Nobody writes to it.
    package var holder: String? { nil }
    /// Its files in the folder of media.
    package var media: any MediaStore & Sendable { SnapshotMedia(self, files) }

    // MARK: Databases

    /// What the snapshot has of a database.
    package func stored(_ database: AccountDatabase) throws -> StoredDatabase? {
        guard let file = files[database.archiveName] else { return nil }
        let source = try open(database, file)
        let header = DatabaseFile.unencryptedHeader
        let isUnencrypted = try source.bytes(at: 0, upTo: header.count) == header
        return StoredDatabase(
            database: database, path: source.path,
            form: source.size == 0 ? .empty : isUnencrypted ? .unencrypted : .encrypted, size: source.size,
            modificationTime: file.modified?.seconds ?? 0)
    }

    /// Why a database is needed and not there.
    package func missing(_ database: AccountDatabase) -> any Error {
        BackupError(.notFound, "the \(database.rawValue) database is not in this snapshot", path.string)
    }

    /// The bytes of a database.
    package func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource {
        try unfolded(database)
    }

    /// The bytes of a database.
    package func unfolded(_ database: AccountDatabase) throws -> any ByteSource {
        guard let file = files[database.archiveName] else { throw missing(database) }
        return try open(database, file)
    }

    private func open(_ database: AccountDatabase, _ file: File) throws -> BlobSource {
        try opened.withLock { opened in
            if let known = opened[database] { return known }
            let source = try source(of: file, named: database.archiveName)
            opened[database] = source
            return source
        }
    }

    /// Nil: a database is no file.
    package func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? { nil }
    /// Nil: a database is no file.
    package func ownFile(of database: AccountDatabase) throws -> DatabaseFile? { nil }
    /// None.
    package func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] { [] }

    /// Nobody waits for a snapshot.
    package var blocksPrograms: Bool { false }
    /// Nobody writes to a snapshot.
    package func releaseDatabases() {}

    // MARK: Entries

    /// All files, and what of others could be in no archive.
    package func entries() throws -> (entries: [AccountEntry], leftOut: [String]) {
        let entries = files.map {
            AccountEntry(
                $0.key, size: $0.value.size, modified: $0.value.modified,
                fingerprint: $0.value.content.flatMap(\.bytes))
        }
        return (entries.sorted(by: AccountEntry.precedes), leftOut)
    }

    /// The bytes of a file.
    package func source(of entry: AccountEntry) throws -> any ByteSource { try source(named: entry.name) }

    /// The bytes of a file by its name in the account.
    func source(named name: String) throws -> BlobSource {
        guard let file = files[name] else {
            throw BackupError(.notFound, "no such file in the snapshot", name)
        }
        return try source(of: file, named: name)
    }

    private func source(of file: File, named name: String) throws -> BlobSource {
        let source = try BlobSource(path.appending(name), file.content, in: repository, cache)
        guard source.size == file.size else {
            throw BackupError(.damaged, "the size in the snapshot is not that of the content", name)
        }
        return source
    }

    /// Reads files to nowhere: each piece has a digest.
    package func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] {
        var problems: [(name: String, error: any Error)] = []
        for entry in try entries().entries where isWanted(entry) {
            do {
                let source = try source(named: entry.name)
                try BlobReader(repository).read(
                    files[entry.name]?.content ?? [], .data, progress: { _, _ in try progress(0) }
                ) { _, _ in }
                try progress(source.size)
            } catch let error as RepositoryError {
                problems.append((entry.name, error))
            } catch let error as BackupError {
                problems.append((entry.name, error))
            }
        }
        return problems
    }
}
