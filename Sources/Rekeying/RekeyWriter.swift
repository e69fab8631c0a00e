import Accounts
import Database
import Failures
import Files
import PageCipher
import Secrets
import SystemPackage

/// Writes the new files and checks them as the system reads them back.
struct RekeyWriter {
    private let fileSystem: FileSystem
    private let engine: PageEngineKind?
    private let plan: RekeyPlan
    private let keys: RekeyKeys
    private let config: DBEncryptionConfig

    init(
        _ fileSystem: FileSystem, _ engine: PageEngineKind?, _ plan: RekeyPlan, _ keys: RekeyKeys,
        _ config: DBEncryptionConfig
    ) {
        self.fileSystem = fileSystem
        self.engine = engine
        self.plan = plan
        self.keys = keys
        self.config = config
    }

    /// Writes a new file.
    /// - Returns: its flush, which goes on while the file is checked.
    func write(
        _ database: AccountDatabase, to target: FilePath, _ progress: ProgressHandler
    ) throws -> [BackgroundTask<Void>] {
        guard let file = plan.files[database] else { return [] }
        if let former = keys.former[database], let new = keys.new[database] {
            return [try reencrypt(database, former, new, target, progress)]
        }
        if let former = keys.former[database] {
            try former.refuseDamage(engine: engine, "checking the \(database.rawValue) database", progress)
        }
        // As it is derived already, with the salt that it belongs to; SQLCipher would make another one.
        let key = try keys.new[database]?.rawPassphrase() ?? SecretBytes.empty()
        // SQLite would make it readable for others.
        try fileSystem.create(target).close()
        try DatabaseExport(from: file.path, passphrase: config.currentKey)
            .write(to: target, passphrase: key) {
                try progress(WorkProgress("converting the \(database.rawValue) database"))
            }
        try fileSystem.openForUpdating(target).synchronize()
        return []
    }

    /// Checks the HMAC of every page of a new file.
    func check(_ database: AccountDatabase, at target: FilePath, _ progress: ProgressHandler) throws {
        guard let new = keys.new[database], let file = plan.files[database] else { return }
        let written = try EncryptedDatabaseFile(
            FileSource(target, fileSystem: fileSystem), settings: .format4, key: new)
        let activity = "checking the new \(database.rawValue) database"
        guard try written.verification(engine: engine, activity, progress).isSound else {
            throw RekeyError.writing(
                .failed,
                "the new database does not lie on the disk as it was written; disk or memory may be failing; "
                    + "nothing was changed", file.path)
        }
    }

    private func reencrypt(
        _ database: AccountDatabase, _ former: EncryptedDatabaseFile, _ new: CipherKey, _ target: FilePath,
        _ progress: ProgressHandler
    ) throws -> BackgroundTask<Void> {
        let writer = ParallelWriter(try fileSystem.create(target))
        let size = Int64(former.pageCount) * Int64(former.settings.pageSize)
        try PageReencryption(of: former, under: new, engine: engine).write(to: writer) {
            try progress(
                WorkProgress("re-encrypting the \(database.rawValue) database", done: $0, total: size))
        }
        return BackgroundTask { _ in try writer.synchronize() }
    }
}
