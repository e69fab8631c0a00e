import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Writes a database of a snapshot to a file: encrypted again, or as it is.
struct DatabaseRestore {
    let database: AccountDatabase
    let report: RestoreReport.Database
    /// In bytes.
    var size: Int64 { offsets.size }

    private let item: RestoreItem
    private let repository: Repository
    private let offsets: BlobOffsets
    /// How it is encrypted; nil where it is written as it is.
    private let cipher: (settings: CipherSettings, key: CipherKey)?

    /// Looks whether it can be restored, and derives the key.
    /// - Throws: ``BackupError``; `RepositoryError`: `missing`; `PageCipherError`; `SecretsError`.
    init(
        _ item: RestoreItem, _ database: AccountDatabase, _ metadata: BackupMetadata.Database?,
        _ repository: Repository, _ options: RestoreOptions, _ secret: SharedSecret?
    ) throws {
        self.item = item
        self.database = database
        self.repository = repository
        offsets = try BlobOffsets(item.content, in: repository)
        guard offsets.size == item.size else {
            throw BackupError(.damaged, "the size in the snapshot is not that of the content", item.name)
        }
        let mode = metadata?.mode ?? .sealed
        var cipher: (settings: CipherSettings, key: CipherKey)?
        if mode == .open, options.databases == .encrypted {
            guard let secret else {
                throw BackupError(
                    .invalid, "a passphrase is needed to encrypt the databases", item.name,
                    remedy: .givePassphrase)
            }
            let settings = metadata?.cipher ?? .format4
            guard offsets.size % Int64(settings.pageSize) == 0, settings.plaintextHeaderSize == 0 else {
                throw BackupError(.damaged, "no whole pages of a database", item.name)
            }
            cipher = (
                settings,
                try CipherKey(passphrase: secret.bytes, salt: KeyDerivation.makeSalt(), settings: settings)
            )
        }
        self.cipher = cipher
        report = RestoreReport.Database(
            database: database, mode: mode,
            isEncrypted: cipher != nil || (mode == .sealed && offsets.size > 0), size: offsets.size)
    }

    /// Writes it. It is not flushed.
    ///
    /// - Parameter progress: gets the number of bytes done; throw to stop.
    /// - Throws: `RepositoryError`; `StorageError`; `FileError`; ``BackupError``, `damaged`; whatever `progress` throws.
    func run(into path: FilePath, _ fileSystem: FileSystem, progress: (Int64) throws -> Void) throws {
        let target = ParallelWriter(try fileSystem.create(path))
        let done = Atomic<Int64>(0)
        try BlobReader(repository).read(item.content, .data) { _, _ in
            try progress(done.load(ordering: .relaxed))
        } makeWorker: {
            try cipher.map { try PageSealer($0.settings, $0.key, to: target) }
        } body: { sealer, number, content in
            try write(content, number, sealer, target)
            done.add(Int64(content.count), ordering: .relaxed)
        } finish: {
            try $0?.flush()
        }
        if item.node.modified != TreeNode.noTime {
            try target.setModificationTimeIfPossible(item.node.modified.seconds)
        }
    }

    private func write(
        _ content: [UInt8], _ number: Int, _ sealer: PageSealer?, _ target: ParallelWriter
    ) throws {
        let start = offsets.start(of: number)
        guard let sealer, let cipher else {
            try unsafe content.withUnsafeBytes { try unsafe target.write($0, at: start) }
            return
        }
        let pageSize = Int64(cipher.settings.pageSize)
        guard start % pageSize == 0, let first = UInt32(exactly: start / pageSize + 1) else {
            throw BackupError(.damaged, "no whole pages of a database", item.name)
        }
        try unsafe content.withUnsafeBytes { try unsafe sealer.add($0, first: first) }
    }
}
