import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Writes the new files, and checks them as the disk gives them back.
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

    /// Writes a new file and makes it durable.
    /// - Returns: what reads it back from the disk and refuses it where it is not what was written.
    func write(
        _ database: AccountDatabase, to target: FilePath, _ progress: ProgressHandler
    ) throws -> (ProgressHandler) throws -> Void {
        guard let file = plan.files[database] else { return { _ in } }
        let activity = "checking the new \(database.rawValue) database"
        if let previous = keys.previous[database], let new = keys.new[database] {
            let (pages, writer) = try reencrypt(database, previous, new, target, progress)
            let size = Int64(previous.pageCount) * Int64(previous.settings.pageSize)
            return { progress in
                let isAsWritten = try pages.matches(writer) {
                    try progress(OperationProgress(activity, completed: $0, total: size))
                }
                guard isAsWritten else { throw notAsWritten(file.path) }
            }
        }
        try export(database, file.path, target, progress)
        return { progress in
            guard let new = keys.new[database] else { return }
            let written = try EncryptedDatabaseFile(
                FileSource(target, fileSystem: fileSystem), settings: .format4, key: new)
            guard try written.verification(engine: engine, activity, progress).isSound else {
                throw notAsWritten(file.path)
            }
        }
    }

    private func notAsWritten(_ path: FilePath) -> RekeyError {
        RekeyError.writing(
            .failed,
            "the new database on disk differs from what was written: disk or memory may be failing. "
                + "Nothing was changed.", path)
    }

    /// Where the pages do not stay what they are.
    private func export(
        _ database: AccountDatabase, _ path: FilePath, _ target: FilePath, _ progress: ProgressHandler
    ) throws {
        if let previous = keys.previous[database] {
            try previous.refuseDamage(engine: engine, "checking the \(database.rawValue) database", progress)
        }
        // As it is derived already, with the salt that it belongs to; SQLCipher would make another one.
        let key = try keys.new[database]?.rawPassphrase() ?? SecretBytes.empty()
        // SQLite would make it readable for others.
        try fileSystem.create(target).close()
        try DatabaseExport(from: path, passphrase: config.currentKey)
            .write(to: target, passphrase: key) {
                try progress(OperationProgress("converting the \(database.rawValue) database"))
            }
        let file = try fileSystem.openForUpdating(target)
        try file.synchronize()
        file.dropCache()
    }

    private func reencrypt(
        _ database: AccountDatabase, _ previous: EncryptedDatabaseFile, _ new: CipherKey, _ target: FilePath,
        _ progress: ProgressHandler
    ) throws -> (WrittenPages, ParallelWriter) {
        let size = Int64(previous.pageCount) * Int64(previous.settings.pageSize)
        var file = try fileSystem.create(target)
        file.passCache()
        try file.reserve(size)
        let writer = ParallelWriter(file)
        let pages = try PageReencryption(
            of: previous, under: new, engine: engine,
            remedy: .salvageAccount(Remedy.Account(ofDatabase: previous.path))
        ).write(to: writer) {
            try progress(
                OperationProgress(
                    "re-encrypting the \(database.rawValue) database", completed: $0, total: size))
        }
        let flush = BackgroundTask { _ in try writer.synchronize() }
        try flush.value { try progress(OperationProgress("waiting for the disk")) }
        return (pages, writer)
    }
}
