import Synchronization
package import SystemPackage
import ValiseConcurrency
package import ValiseFiles
package import ValiseSecrets

/// Jobs that outlive a crash: written before they run, in an encrypted database of their own
/// (Documentation/formats/jobs.md).
///
/// Several processes of one machine may have it open, and several threads use it. Calls wait for the disk and for other
/// processes, so asynchronous callers make them on a thread of their own.
package final class JobQueue: Sendable {
    /// The database file.
    package let path: FilePath
    package let settings: JobSettings
    let clock: JobClock
    let processes: JobProcesses
    private let database: JobDatabase
    /// Of the thread that uses the database.
    private let turn = Mutex(())

    /// Opens the queue, or makes it with its folder; brings the database to the schema of this version.
    ///
    /// - Parameters:
    ///   - path: the database file, 0600. A folder that is missing is made, 0700.
    ///   - key: 32 bytes; nothing is derived from them, so that opening takes no time.
    ///   - settings: times and limits.
    ///   - clock: tells the time.
    ///   - processes: tells who runs, and who is gone.
    ///   - fileSystem: where files are read and written.
    /// - Throws: ``JobQueueError``: `wrongKey`, `damaged`, `newer`, `busy`; whatever is there stays as it is then.
    package init(
        _ path: FilePath, key: borrowing SecretBytes, settings: JobSettings = JobSettings(),
        clock: JobClock = .system, processes: JobProcesses = .system, fileSystem: FileSystem = FileSystem()
    ) throws(JobQueueError) {
        self.path = path
        self.settings = settings
        self.clock = clock
        self.processes = processes
        database = try JobDatabase(
            path, key: key, settings: settings, clock: clock, processes: processes, fileSystem: fileSystem)
    }

    /// The database file of a folder that has its key beside it, there or not.
    package static func file(inFolder folder: FilePath) -> FilePath {
        folder.appending(JobQueueFolder.database)
    }

    /// Opens the queue of a folder that has its key beside it, or makes all of that: `queue.db` and `key`, the latter 32
    /// random bytes, 0600.
    ///
    /// - Throws: ``JobQueueError``: as above; `keyMissing` where the database is there without its key.
    package convenience init(
        inFolder folder: FilePath, settings: JobSettings = JobSettings(), clock: JobClock = .system,
        processes: JobProcesses = .system, fileSystem: FileSystem = FileSystem()
    ) throws(JobQueueError) {
        let key = try JobQueueFolder(folder, fileSystem: fileSystem).key(patience: settings.patience)
        try self.init(
            Self.file(inFolder: folder), key: key, settings: settings, clock: clock, processes: processes,
            fileSystem: fileSystem)
    }

    /// Does several things as one: all are durable when this returns, or none happened when it throws. Other processes wait
    /// meanwhile. Not to be called inside another one.
    ///
    /// - Throws: ``JobQueueError``: `busy`, `damaged`, or a full disk; whatever `body` throws.
    @discardableResult
    package func change<Result: Sendable>(
        _ body: (borrowing JobTransaction) throws -> Result
    ) throws -> Result {
        try turn.withLock { _ in
            try database.change {
                let transaction = JobTransaction(database)
                return try body(transaction)
            }
        }
    }

    /// The same for what need not survive a power cut: nothing waits for the disk.
    func note<Result: Sendable>(_ body: (borrowing JobTransaction) throws -> Result) throws -> Result {
        try turn.withLock { _ in
            try database.change(flushing: false) {
                let transaction = JobTransaction(database)
                return try body(transaction)
            }
        }
    }

    /// Does something with the queue away from the threads of tasks. Cancelling the task does not keep it from being done.
    func away<Result: Sendable>(
        _ body: @escaping @Sendable (JobQueue) throws -> Result
    ) async throws -> Result {
        try await BlockingExecutor.shared.run { try body(self) }
    }

    /// Looks at several things at one moment.
    /// - Throws: ``JobQueueError``; whatever `body` throws.
    func look<Result: Sendable>(_ body: (JobDatabase) throws -> Result) throws -> Result {
        try turn.withLock { _ in try database.look { try body(database) } }
    }

    // MARK: One thing at a time

    /// Writes a job; see ``JobTransaction/add(_:)``.
    @discardableResult
    package func add(_ request: JobRequest) throws -> Job { try change { try $0.add(request) } }

    /// A job, or nil where there is none of this number.
    /// - Throws: ``JobQueueError``.
    package func job(_ id: JobID) throws -> Job? { try look { try $0.job(id) } }

    /// Jobs in the order of their numbers.
    /// - Throws: ``JobQueueError``.
    package func jobs(_ filter: JobFilter = JobFilter()) throws -> [Job] { try look { try $0.jobs(filter) } }

    /// How many jobs there are.
    /// - Parameter kinds: only of these; nil for any.
    /// - Throws: ``JobQueueError``.
    package func counts(kinds: Set<String>? = nil) throws -> JobCounts {
        try look { try $0.counts(kinds: kinds) }
    }

    /// Where a job stands, without what it carries; nil where there is none of this number.
    func standing(_ id: JobID) throws -> JobStanding? { try look { try $0.standing(id) } }
}
