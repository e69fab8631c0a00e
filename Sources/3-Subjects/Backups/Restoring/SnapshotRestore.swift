package import SystemPackage
package import ValiseAccounts
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

    /// Restores.
    ///
    /// - Parameters:
    ///   - folder: must not exist, unless it is empty.
    ///   - passphrase: for databases that are kept open; nil where there are none or they stay unencrypted.
    ///   - progress: sees how far it is; throw to stop.
    ///   - check: gets the folder with all that was written, before it has its name; throw to have it removed.
    /// - Throws: ``BackupError``: `invalid` without a passphrase that is needed, `notFound` where nothing is selected, `damaged`;
    ///   `RepositoryError`; `StorageError`; `FileError`; whatever the closures throw.
    package func run(
        into folder: FilePath, passphrase: borrowing SecretBytes?,
        progress: ProgressHandler = { _ in }, checking check: (FilePath) throws -> Void = { _ in }
    ) throws -> RestoreReport {
        let beginning = ContinuousClock.now
        let prepared = try prepare(passphrase.duplicate())
        let prefix = options.prefix ?? prepared.prefix
        try AccountPaths.refuse(folder, for: "the restored account", fileSystem: fileSystem)
        let restored = try RestoredFolder(folder, size: prepared.size, fileSystem)
        let target = AccountLocation(directory: restored.partial, prefix: prefix)
        var report = RestoreReport(snapshot: snapshot.id, folder: folder, prefix: prefix)
        try write(prepared, to: RestoreTarget(target), &report, progress)
        try check(restored.partial)
        try restored.publish()
        report.duration = ContinuousClock.now - beginning
        return report
    }

    /// Restores into a change of an account, which puts it in place. Nothing is flushed.
    ///
    /// Media of the same name are replaced, others stay; what is no part of an account is left out.
    ///
    /// - Parameters:
    ///   - change: of the account, which is locked.
    ///   - location: the account.
    ///   - passphrase: as for ``run(into:passphrase:progress:)``.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: as ``run(into:passphrase:progress:)``.
    package func stage(
        in change: AccountChange, of location: AccountLocation, passphrase: borrowing SecretBytes?,
        progress: ProgressHandler = { _ in }
    ) throws -> RestoreReport {
        let beginning = ContinuousClock.now
        let prepared = try prepare(passphrase.duplicate())
        let target = RestoreTarget(
            change, files: try change.stageFolder("files", mergingInto: location.filesName),
            wallpapers: try change.stageFolder("wallpapers", mergingInto: location.wallpapersName))
        for database in prepared.databases { change.replaces(database.database) }
        var report = RestoreReport(
            snapshot: snapshot.id, folder: location.directory, prefix: location.prefix)
        try write(prepared, to: target, &report, progress)
        report.duration = ContinuousClock.now - beginning
        return report
    }

    /// What will be restored, as far as the snapshot tells.
    /// - Throws: ``BackupError``: `notFound` where nothing is selected; `RepositoryError`; `StorageError`.
    package func contents() throws -> RestoreContents {
        let tree = try SnapshotTree(repository, snapshot)
        let metadata = try tree.metadata()
        let items = try selected(tree, metadata)
        return RestoreContents(
            metadata: metadata,
            files: items.map { AccountEntry($0.name, size: $0.size, modified: $0.node.modified.utc) })
    }

    private struct Prepared {
        let metadata: BackupMetadata?
        let databases: [DatabaseRestore]
        /// What is no database.
        let items: [RestoreItem]
        let size: Int64

        var prefix: String { metadata?.prefix ?? AccountLocation.usualPrefix }
    }

    private func prepare(_ passphrase: consuming SecretBytes?) throws -> Prepared {
        let tree = try SnapshotTree(repository, snapshot)
        let metadata = try tree.metadata()
        let items = try selected(tree, metadata)
        var secret: SharedSecret?
        if let given = passphrase, !given.isEmpty { secret = SharedSecret(given) }
        var databases: [DatabaseRestore] = []
        for item in items {
            guard let database = item.database else { continue }
            databases.append(
                try DatabaseRestore(item, database, metadata?[database], repository, options, secret))
        }
        return Prepared(
            metadata: metadata, databases: databases, items: items.filter { $0.database == nil },
            size: items.reduce(0) { $0 + $1.size })
    }

    private func write(
        _ prepared: Prepared, to target: RestoreTarget, _ report: inout RestoreReport,
        _ progress: ProgressHandler
    ) throws {
        let total = prepared.size
        var done: Int64 = 0
        for database in prepared.databases {
            try database.run(into: target.path(of: database.database), fileSystem) { size in
                try progress(OperationProgress("restoring", completed: done + size, total: total))
            }
            done += database.size
            report.databases.append(database.report)
        }
        let media = MediaRestore(prepared.items, repository, target, fileSystem)
        report.problems = try media.run(skipsDamaged: options.skipsDamagedMedia) { size in
            try progress(OperationProgress("restoring", completed: done + size, total: total))
        }
        report.missingInSnapshot = prepared.metadata?.problems ?? []
        report.files = media.items.count - report.problems.count
        report.size = total
        try progress(OperationProgress("restoring", completed: total, total: total))
    }

    private func selected(_ tree: SnapshotTree, _ metadata: BackupMetadata?) throws -> [RestoreItem] {
        let items = try RestoreItem.all(in: tree, options.selection, isOwn: metadata != nil)
        guard !items.isEmpty else {
            throw BackupError(.notFound, "no file of the snapshot is selected", "\(snapshot.id)")
        }
        return items
    }
}
