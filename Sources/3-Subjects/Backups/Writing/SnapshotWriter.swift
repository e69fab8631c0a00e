package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
package import ValiseRepository
package import ValiseSecrets

/// Makes snapshots of an account, in use or not, in a folder or in an archive, or of a store of Session.
package struct SnapshotWriter: Sendable {
    private let source: SnapshotSource
    private let repository: Repository
    private let options: SnapshotOptions
    private let known: KnownRepository?

    /// - Parameters:
    ///   - source: what the snapshot is made of.
    ///   - repository: opened; its index need not be loaded.
    ///   - options: how the snapshot is made.
    ///   - known: what whoever makes several snapshots has read of the repository, under a lock that is used; nil to read it, and
    ///     to take a lock.
    package init(
        _ source: SnapshotSource, in repository: Repository,
        _ options: SnapshotOptions = SnapshotOptions(), known: KnownRepository? = nil
    ) {
        self.source = source
        self.repository = repository
        self.options = options
        self.known = known
    }

    /// The same for an account, which is opened with an absolute path.
    package init(
        _ reader: AccountReader, at place: AccountPlace, in repository: Repository,
        _ options: SnapshotOptions = SnapshotOptions()
    ) {
        self.init(.account(reader, place), in: repository, options)
    }

    /// Makes a snapshot. Where it is stopped or fails, the repository has no new snapshot; what was stored until then is found by
    /// the next run.
    ///
    /// - Parameters:
    ///   - passphrase: of the databases; nil where none is known, with which only sealed snapshots of encrypted databases are made.
    ///   - progress: sees how far each phase is; throw to stop.
    /// - Throws: ``BackupError``: `invalid` without a passphrase that is needed, `damaged` for a store of Session; `AccountMediaError`: `wrongPassphrase`;
    ///   `PageCipherError`: `damaged`, with the pages; `AccountError` where a database is missing; `RepositoryError`: `locked`;
    ///   `StorageError`; errors of the account's files; whatever `progress` throws.
    package func run(
        passphrase: borrowing SecretBytes?, progress: ProgressHandler = { _ in }
    ) throws -> SnapshotReport {
        let beginning = ContinuousClock.now
        var secret: SharedSecret?
        if let given = try passphrase.duplicate(), !given.isEmpty {
            secret = SharedSecret(try given.rememberingKeys())
        }
        var report = SnapshotReport(time: options.time ?? .now())
        report.holder = source.holder
        let own = try options.isDryRun || known != nil ? nil : takeLock(&report, progress)
        defer { own?.release() }
        let lock = known?.lock ?? own
        // Whoever works under a lock that others may take for stale has to stop.
        func checked(_ event: OperationProgress) throws {
            try lock?.check()
            try progress(event)
        }
        var run = try SnapshotRun(source, repository, options, report, known, checked)
        do {
            try run.addDatabases(secret, checked)
            try run.addFiles(checked)
            try run.finish(checked) { try lock?.confirm() }
        } catch {
            // What cannot be kept is no worse than what was not stored. Under a lock that is lost it may be removed by now.
            try? run.keep { try lock?.confirm() }
            throw error
        }
        run.report.duration = ContinuousClock.now - beginning
        return run.report
    }

    private func takeLock(
        _ report: inout SnapshotReport, _ progress: ProgressHandler
    ) throws -> RepositoryLock {
        var stale: [LockRecord] = []
        defer { report.staleLocks = stale }
        return try RepositoryLock.take(
            repository, isExclusive: false, owner: options.lockOwner, wait: options.lockPatience,
            clock: options.clock, stale: { stale.append($0) },
            checkpoint: { try progress(OperationProgress("waiting for the repository")) })
    }
}

/// What has been read of a repository under a lock. Its index is loaded.
package struct KnownRepository: Sendable {
    package let lock: RepositoryLock
    /// The oldest first.
    package let snapshots: [StoredSnapshot]

    package init(_ lock: RepositoryLock, _ snapshots: [StoredSnapshot]) {
        self.lock = lock
        self.snapshots = snapshots
    }
}
