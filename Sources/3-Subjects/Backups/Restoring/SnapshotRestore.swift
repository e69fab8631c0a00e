package import SystemPackage
import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
package import ValiseRepository
package import ValiseSecrets
import ValiseStorage

/// Restores an account, or a part of it, into a new folder, which appears complete or not at all. No byte of a database is written
/// unencrypted, unless that is asked for; every piece is verified while it is read.
package struct SnapshotRestore: Sendable {
    let repository: Repository
    let snapshot: StoredSnapshot
    let options: RestoreOptions
    let fileSystem: FileSystem

    /// - Parameters:
    ///   - repository: with its index loaded; locked by the caller.
    ///   - snapshot: one of it.
    ///   - options: what is restored.
    ///   - fileSystem: where files are written.
    package init(
        _ repository: Repository, _ snapshot: StoredSnapshot, _ options: RestoreOptions = RestoreOptions(),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.repository = repository
        self.snapshot = snapshot
        self.options = options
        self.fileSystem = fileSystem
    }

    /// A file that is restored.
    struct Item {
        /// In an archive.
        let name: String
        let node: TreeNode
        /// Nil for what is no database.
        let database: AccountDatabase?

        var content: [ContentID] { node.content ?? [] }
        var size: Int64 { Int64(clamping: node.size) }
    }

    /// Restores.
    ///
    /// - Parameters:
    ///   - folder: must not exist, unless it is empty.
    ///   - passphrase: for databases that are kept open; nil where there are none or they stay unencrypted.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: ``BackupError``: `invalid` without a passphrase that is needed, `notFound` where nothing is selected, `damaged`;
    ///   `RepositoryError`; `StorageError`; `FileError`; whatever `progress` throws.
    package func run(
        into folder: FilePath, passphrase: borrowing SecretBytes?, progress: ProgressHandler = { _ in }
    ) throws -> RestoreReport {
        let beginning = ContinuousClock.now
        let tree = try SnapshotTree(repository, snapshot)
        let metadata = try tree.metadata()
        let items = try items(tree, isOwn: metadata != nil)
        let location = AccountLocation(
            directory: folder, prefix: options.prefix ?? metadata?.prefix ?? AccountLocation.usualPrefix)
        try AccountPaths.refuse(folder, for: "the restored account", fileSystem: fileSystem)
        var secret: SharedSecret?
        if let given = try passphrase.duplicate(), !given.isEmpty { secret = SharedSecret(given) }
        var databases: [DatabaseRestore] = []
        for item in items {
            guard let database = item.database else { continue }
            databases.append(
                try DatabaseRestore(item, database, metadata?[database], repository, options, secret))
        }
        let total = items.reduce(Int64(0)) { $0 + $1.size }
        let restored = try RestoredFolder(folder, size: total, fileSystem)
        let target = AccountLocation(directory: restored.partial, prefix: location.prefix)
        var report = RestoreReport(snapshot: snapshot.id, folder: folder, prefix: location.prefix)
        report.missingInSnapshot = metadata?.problems ?? []
        var done: Int64 = 0
        for database in databases {
            try database.run(into: target.path(of: database.database), fileSystem) { size in
                try progress(OperationProgress("restoring", completed: done + size, total: total))
            }
            done += database.size
            report.databases.append(database.report)
        }
        let media = MediaRestore(items.filter { $0.database == nil }, repository, target, fileSystem)
        report.problems = try media.run(skipsDamaged: options.skipsDamagedMedia) { size in
            try progress(OperationProgress("restoring", completed: done + size, total: total))
        }
        report.files = items.count - databases.count - report.problems.count
        report.size = total
        try progress(OperationProgress("restoring", completed: total, total: total))
        try restored.publish()
        report.duration = ContinuousClock.now - beginning
        return report
    }

    /// The selected files.
    /// - Parameter isOwn: whether Valise made the snapshot: databases have no side files then, and one that is there would be
    ///   rolled into the restored database.
    private func items(_ tree: SnapshotTree, isOwn: Bool) throws -> [Item] {
        let sideFiles = Set(
            AccountDatabase.allCases.flatMap { database in
                DatabaseFile.sideSuffixes.map { database.archiveName + $0 }
            })
        var items: [Item] = []
        try tree.forEach { path, node in
            guard node.kind == .file, node.content != nil,
                let name = String(validating: path, as: UTF8.self),
                !name.utf8.starts(with: "\(BackupMetadata.folder)/".utf8),
                !(isOwn && sideFiles.contains(name)),
                options.selection.contains(name)
            else { return }
            let database = AccountDatabase.allCases.first { $0.archiveName == name }
            items.append(Item(name: name, node: node, database: database))
        }
        guard !items.isEmpty else {
            throw BackupError(.notFound, "no file of the snapshot is selected", "\(snapshot.id)")
        }
        return items
    }
}
