import SystemPackage
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// The queue's database, for one thread at a time: ``JobQueue`` sees to that.
final class JobDatabase: @unchecked Sendable {
    // Unchecked: ``JobQueue`` alone has it and reaches it under its lock, in `change`, `note` and `look`, whose bodies cannot
    // keep it. A mutex cannot hold it, as these bodies are the caller's.
    let connection: Connection
    let settings: JobSettings
    let processes: JobProcesses
    private let clock: JobClock
    /// Of the transaction that goes on.
    private(set) var time: JobTime
    /// Why SQLite rolled the transaction back by itself; nil where it did not.
    private var abandonment: (any Error)?
    /// Whether the database has a write-ahead log, as it has where the file system can share memory.
    private let hasLog: Bool

    init(_ connection: consuming Connection, settings: JobSettings, clock: JobClock, processes: JobProcesses)
        throws
    {
        hasLog = try connection.value("PRAGMA journal_mode")?.text == "wal"
        self.connection = connection
        self.settings = settings
        self.clock = clock
        self.processes = processes
        time = clock.now()
    }

    /// Runs `body` in a transaction that nobody else's can come between.
    ///
    /// - Parameter flushing: whether it is durable when this returns. Where it is not, a power cut may take it back; without
    ///   a log that could damage the database, so it is durable there.
    func change<Result>(flushing: Bool = true, _ body: () throws -> Result) throws -> Result {
        try translating {
            if !flushing, hasLog { try connection.execute("PRAGMA synchronous = NORMAL") }
            defer { if !flushing, hasLog { try? connection.execute("PRAGMA synchronous = EXTRA") } }
            return try connection.transaction {
                // Only now: it may have been waited for.
                time = clock.now()
                abandonment = nil
                let result = try body()
                // Whoever passed over that failure must not believe that the rest was written.
                if let abandonment { throw abandonment }
                return result
            }
        }
    }

    /// Runs `body` on what the database is at one moment, without keeping anybody from changing it.
    func look<Result>(_ body: () throws -> Result) throws -> Result {
        try translating {
            time = clock.now()
            try connection.execute("BEGIN")
            // Nothing was written: that it cannot be ended says nothing that the next statement would not say.
            defer { try? connection.execute("COMMIT") }
            return try body()
        }
    }

    /// Runs a part of a transaction, of which nothing stays when it throws. All that is written is written in one.
    ///
    /// On a full disk, for one, SQLite may have rolled everything back. What came after that would be a transaction of its
    /// own each, so that from then on every part throws the same.
    func step<Result>(_ body: () throws -> Result) throws -> Result {
        if let abandonment { throw abandonment }
        guard connection.isInTransaction else {
            throw JobQueueError(
                .other, .failed, "the job queue database rolled back a change. Nothing was written.",
                subject: connection.path.string)
        }
        try connection.execute("SAVEPOINT step")
        do {
            let result = try body()
            try connection.execute("RELEASE step")
            return result
        } catch {
            if connection.isInTransaction {
                try? connection.execute("ROLLBACK TO step; RELEASE step")
            } else if abandonment == nil {
                abandonment = error
            }
            throw error
        }
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw JobQueueError(error, connection.path)
        }
    }

    /// Seconds since 1970.
    var wallSeconds: Int64 { time.wall / 1000 }

    func value(_ sql: String, _ values: [Value]) throws -> Int64? {
        try connection.value(sql, values)?.integer
    }
}
