import SystemPackage
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

extension JobDatabase {
    convenience init(
        _ path: FilePath, key: borrowing SecretBytes, settings: JobSettings, clock: JobClock,
        processes: JobProcesses, fileSystem: FileSystem
    ) throws(JobQueueError) {
        do {
            let passphrase = try key.rawKey()
            let opening = JobDatabaseOpening(
                path: path, patience: settings.patience,
                migrator: try Migrator(MigrationList(JobQueue.migrations)),
                fileSystem: fileSystem)
            let connection = try opening.open(passphrase)
            try self.init(connection, settings: settings, clock: clock, processes: processes)
            try countPausesInThisBoot()
        } catch {
            throw JobQueueError(error, path)
        }
    }

    /// Pauses that were begun before the machine was started anew are counted by the clock on the wall, once, here, and
    /// from now on by the one that does not jump. One that was set back can make a pause no longer than it was.
    private func countPausesInThisBoot() throws {
        // Through its own index, on either side: whoever opens a queue of many jobs is not to read all of them.
        let boot = Value.text(time.boot)
        let waiting = "SELECT 1 FROM jobs INDEXED BY idx_jobs_due_boot WHERE state = 'waiting' AND due_boot"
        let isForeign = "SELECT EXISTS (\(waiting) < ?) OR EXISTS (\(waiting) > ?)"
        guard try value(isForeign, [boot, boot]) != 0 else { return }
        let rest = "max(0, min(due_pause, due_wall - ?))"
        try change {
            try connection.run(
                """
                UPDATE jobs SET due_since_boot = ? + \(rest), due_wall = ? + \(rest), due_pause = \(rest), due_boot = ?
                WHERE state = 'waiting' AND due_boot <> ?
                """,
                [
                    .integer(time.sinceBoot), .integer(time.wall), .integer(time.wall), .integer(time.wall),
                    .integer(time.wall), boot, boot,
                ])
        }
    }
}

/// Opens the database, or makes it.
private struct JobDatabaseOpening {
    let path: FilePath
    let patience: Duration
    let migrator: Migrator
    let fileSystem: FileSystem

    func open(_ passphrase: borrowing SecretBytes) throws -> Connection {
        if try isMade() {
            let connection = try connect(passphrase, .shared)
            if try isCurrent(connection) { return connection }
        }
        let folder = path.parentFolder
        if !(try fileSystem.isDirectory(folder)) { try fileSystem.makeDirectories(folder) }
        // Of several processes one makes it. SQLite's own locks are of no use here: who closes a file gives all of them back
        // that his process has on it.
        guard let lock = try DirectoryLock.take(folder, .exclusive, patience: patience) else {
            throw JobQueueError.busy(path)
        }
        defer { withExtendedLifetime(lock) {} }
        return try make(passphrase)
    }

    private func isMade() throws -> Bool {
        try fileSystem.sizeOfPrivateFile(path, "database") ?? 0 > 0
    }

    private func make(_ passphrase: borrowing SecretBytes) throws -> Connection {
        if !(try fileSystem.exists(path)) {
            // SQLite would make it for everybody to read, and gives the files beside it the mode that it has.
            try fileSystem.create(path).close()
            try fileSystem.synchronizeDirectory(path.parentFolder)
        }
        let connection = try connect(passphrase, .readWrite)
        if try isCurrent(connection) { return connection }
        // Readers do not wait for writers, and a commit is one flush.
        try connection.execute("PRAGMA journal_mode = WAL")
        let result = try migrator.run(on: connection, confirmation: .yesUp, vacuum: false)
        guard result == .ok else { throw refusal(nil) }
        return connection
    }

    private func connect(_ passphrase: borrowing SecretBytes, _ mode: AccessMode) throws -> Connection {
        let end = ContinuousClock.now + patience
        while true {
            do throws(DatabaseError) {
                let connection = try Connection(path, mode: mode, passphrase: passphrase)
                // EXTRA is FULL, and where there can be no write-ahead log, the flush that makes the end of the journal
                // durable too.
                try connection.execute(
                    "PRAGMA busy_timeout = \(min(patience.milliseconds, 1 << 30)); PRAGMA synchronous = EXTRA"
                )
                return connection
            } catch {
                if error.isNotADatabase { throw JobQueueError.wrongKey(error) }
                guard error.code == .inUse, ContinuousClock.now < end else { throw error }
                FileSystem.wait(.milliseconds(20))
            }
        }
    }

    /// Whether the schema is the one of this version; an older one can be brought to it.
    private func isCurrent(_ connection: borrowing Connection) throws -> Bool {
        let pending = try migrator.pending(on: connection)
        switch pending {
        case .none: return true
        case .up: return false
        case .down, .impossible: throw refusal(pending)
        }
    }

    private func refusal(_ pending: PendingMigrations?) -> JobQueueError {
        if case .down = pending {
            return JobQueueError(
                .newer, .newer,
                "a newer version created the job queue. Nothing was changed.",
                subject: path.string, remedy: .updateProgram)
        }
        return JobQueueError(
            .damaged, .unsupported, "not a job queue database. Nothing was changed.",
            subject: path.string)
    }
}
