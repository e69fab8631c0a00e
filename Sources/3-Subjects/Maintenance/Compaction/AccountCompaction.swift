import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Gives back the space that deleted messages left inside the databases.
///
/// Each database is written into a new file beside the account and compared with the previous one; then both
/// take their places atomically.
package struct AccountCompaction {
    private let fileSystem: FileSystem

    package init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// What it would do. Nothing is changed.
    /// - Throws: `AccountError`; `DatabaseError`: `wrongPassphrase`; `FileError`.
    package func plan(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        progress: ProgressHandler = { _ in }
    ) throws -> CompactionPlan {
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        var steps: [CompactionPlan.Step] = []
        for database in AccountDatabase.allCases {
            let connection = try reader.connect(database, passphrase: passphrase, progress: progress)
            let size = try reader.stored(database).size
            steps.append(try CompactionPlan.Step(connection, database, size: size))
        }
        return try plan(steps, location)
    }

    private func plan(
        _ steps: [CompactionPlan.Step], _ location: AccountLocation
    ) throws -> CompactionPlan {
        CompactionPlan(steps: steps, freeSpace: try fileSystem.freeSpace(at: location.directory))
    }

    /// Compacts both databases, or neither.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - announce: gets the plan before anything is done; throw to stop.
    ///   - progress: sees what is done; throw to stop, which changes nothing.
    /// - Throws: ``MaintenanceError``: `noSpace`, `damaged`; `AccountError`; `DatabaseError`;
    ///   `FileError`. Nothing was changed then, or the error says what the next run completes.
    package func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        announce: (CompactionPlan) throws -> Void = { _ in }, progress: ProgressHandler = { _ in }
    ) throws -> CompactionReport {
        let start = ContinuousClock.now
        let account = try AccountWriter(location, fileSystem: fileSystem)
        _ = try account.fold(passphrase: passphrase, progress: progress)
        let files = try account.databaseFiles()
        var steps: [CompactionPlan.Step] = []
        for database in AccountDatabase.allCases {
            guard let file = files[database] else { continue }
            let connection = try open(file.path, passphrase)
            steps.append(try CompactionPlan.Step(connection, database, size: file.size))
        }
        let plan = try plan(steps, location)
        try announce(plan)
        try checkSpace(plan, location)
        let change = try account.change("compaction")
        var results: [CompactionReport.Result] = []
        for step in steps {
            guard let file = files[step.database] else { continue }
            let size = try compact(file.path, step, change, passphrase, progress)
            results.append(.init(database: step.database, sizeBefore: file.size, sizeAfter: size))
        }
        try change.commit()
        return CompactionReport(
            plan: plan, results: results, freed: results.reduce(0) { $0 + $1.sizeBefore - $1.sizeAfter },
            recovery: account.recovery, seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    private func open(_ path: FilePath, _ passphrase: borrowing SecretBytes) throws -> Connection {
        try Connection(path, mode: .readOnlyUnderLock, passphrase: passphrase)
    }

    /// Refuses a disk that is too full for any compaction: before anybody is asked for the passphrase. How much more is needed
    /// only the databases tell.
    ///
    /// - Throws: ``MaintenanceError`` with `noSpace`; `FileError`.
    package func refuseFullDisk(_ location: AccountLocation) throws {
        let free = try fileSystem.freeSpace(at: location.directory)
        guard free < CompactionPlan.air else { return }
        var size: Int64 = 0
        for database in AccountDatabase.allCases {
            size += try fileSystem.attributes(of: location.path(of: database))?.size ?? 0
        }
        let needed = CompactionPlan.spaceNeeded(for: size)
        throw MaintenanceError(
            .noSpace,
            "compacting needs up to \(Count.bytes(needed)), but only \(Count.bytes(free)) are free. Nothing was "
                + "changed.",
            subject: location.directory.string, remedy: .freeSpace(needed, in: location.directory))
    }

    private func checkSpace(_ plan: CompactionPlan, _ location: AccountLocation) throws {
        guard plan.freeSpace >= plan.spaceNeeded else {
            throw MaintenanceError(
                .noSpace,
                "compacting needs \(Count.bytes(plan.spaceNeeded)), but only "
                    + "\(Count.bytes(plan.freeSpace)) are free. Nothing was changed.",
                subject: location.directory.string,
                remedy: .freeSpace(plan.spaceNeeded, in: location.directory))
        }
    }

    /// - Returns: the size of the new file.
    private func compact(
        _ path: FilePath, _ step: CompactionPlan.Step, _ change: AccountChange,
        _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> Int64 {
        let staged = change.stagedPath(of: step.database)
        let name = step.database.rawValue
        // Made here, so that it is private from its first byte on.
        try fileSystem.create(staged).close()
        let connection = try open(path, passphrase)
        try connection.supervised {
            let done = (try? fileSystem.attributes(of: staged)?.size) ?? 0
            try progress(
                OperationProgress("compacting the \(name) database", completed: done, total: step.estimate))
        } _: {
            try refusingDamage(path) { () throws(DatabaseError) in try connection.vacuum(into: staged) }
        }
        try compare(connection, staged, name, passphrase, progress)
        let file = try fileSystem.openForUpdating(staged)
        try file.synchronize()
        change.replaces(step.database)
        return try file.size()
    }

    /// Proves the new file by its own structure and by comparing it with the previous one.
    private func compare(
        _ previous: borrowing Connection, _ staged: FilePath, _ name: String,
        _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws {
        let look = { try progress(OperationProgress("checking the compacted \(name) database")) }
        let before = try previous.supervised(by: look) { try DatabaseSummary(ofAll: previous) }
        let new = try open(staged, passphrase)
        try new.supervised(by: look) {
            let problem =
                try new.structureProblems(.quick, limit: 1).first
                ?? DatabaseSummary(ofAll: new).difference(from: before).map { "\($0) changed" }
            guard let problem else { return }
            throw MaintenanceError(
                .damaged,
                "the compacted copy failed its check and was discarded: \(problem). Nothing was changed.",
                subject: staged.lastComponent?.string)
        }
    }

    private func refusingDamage(_ path: FilePath, _ body: () throws(DatabaseError) -> Void) throws {
        do throws(DatabaseError) {
            try body()
        } catch  where error.code == .damaged {
            throw MaintenanceError(
                .damaged,
                "the database is damaged and was not compacted. Nothing was changed.", subject: path.string,
                cause: error, remedy: .checkAccount(Remedy.Account(ofDatabase: path)))
        }
    }
}
