import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// A folder with a queue's database and its key beside it.
struct JobQueueFolder {
    static let database = "queue.db"
    static let key = "key"

    private let path: FilePath
    private let fileSystem: FileSystem
    private var keyFile: FilePath { path.appending(Self.key) }

    init(_ path: FilePath, fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// The key, made where neither it nor the database is there yet.
    /// - Throws: ``JobQueueError``: `keyMissing`, `damaged`, `busy`.
    func key(patience: Duration) throws(JobQueueError) -> SecretBytes {
        do {
            if try fileSystem.exists(keyFile) { return try read() }
            try fileSystem.makeDirectories(path)
            guard let lock = try DirectoryLock.take(path, .exclusive, patience: patience) else {
                throw JobQueueError.busy(path)
            }
            defer { withExtendedLifetime(lock) {} }
            // Another process may have been here before the lock.
            if !(try fileSystem.exists(keyFile)) { try make() }
            return try read()
        } catch {
            throw JobQueueError(error, path)
        }
    }

    private func make() throws {
        let database = path.appending(Self.database)
        guard try (fileSystem.attributes(of: database)?.size ?? 0) == 0 else {
            throw JobQueueError(
                .keyMissing, .notFound,
                "the job queue key is missing, so the database beside it cannot be read. Nothing was changed.",
                subject: keyFile.string, remedy: .restoreQueueKey(path))
        }
        let pending = try PendingFile(keyFile, fileSystem: fileSystem)
        var file = try pending.open()
        let seed = try SecretSeed()
        try seed.withBytes { try file.write($0) }
        try file.synchronize()
        try file.close()
        try pending.publish(replacing: false)
    }

    private func read() throws -> SecretBytes {
        _ = try fileSystem.sizeOfPrivateFile(keyFile, "key")
        let file = try fileSystem.openForReading(keyFile)
        guard try file.size() == Int64(SecretSeed.byteCount) else {
            throw JobQueueError(
                .damaged, .damaged,
                "the job queue key has \(Count.text(try file.size(), "byte")) instead of "
                    + "\(SecretSeed.byteCount)",
                subject: keyFile.string, remedy: .restoreQueueKey(path))
        }
        return try SecretBytes(capacity: SecretSeed.byteCount) { try file.read(into: $0, at: 0) }
    }
}

extension FileSystem {
    /// The size of a file of the queue, which is closed to others where they could read it; nil where it is not there.
    /// - Parameter name: what it is of the job queue's.
    func sizeOfPrivateFile(_ path: FilePath, _ name: String) throws -> Int64? {
        guard let found = try attributes(of: path) else { return nil }
        guard found.kind == .regular else {
            throw JobQueueError(
                .other, .unsupported, "the job queue's \(name) is not a regular file",
                subject: path.string)
        }
        if !found.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute]) {
            try setPermissions(.ownerReadWrite, of: path)
        }
        return found.size
    }
}
