package import SystemPackage
package import ValiseAccounts
import ValiseChatSchema
package import ValiseConcurrency
package import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Migrates both databases of an account atomically.
///
/// The scripts run on copies beside the account. Only when both databases passed, and were checked, do the
/// copies take the place of the previous files, which are kept until the user confirms or rolls back.
package struct AccountMigration: Sendable {
    private let fileSystem: FileSystem
    private let lists: [AccountDatabase: MigrationList]

    /// - Parameters:
    ///   - lists: an app's own migrations; nil for Valise's schema.
    ///   - fileSystem: where files are read and written.
    /// - Throws: `MigrationError` for a list that is not sorted.
    package init(
        lists: [AccountDatabase: MigrationList]? = nil, fileSystem: FileSystem = FileSystem()
    ) throws {
        self.fileSystem = fileSystem
        self.lists =
            try lists
            ?? Dictionary(
                uniqueKeysWithValues: AccountDatabase.allCases.map {
                    ($0, try MigrationList($0.lineage.migrations))
                })
    }

    // MARK: Planning

    /// What would be done. Nothing is changed.
    /// - Parameter use: whether the account may be in use, which the plan says then.
    /// - Throws: `AccountError`; `DatabaseError` with `wrongPassphrase`; ``MaintenanceError`` with
    ///   `unsupported` or `newer` for a database that is not ours.
    package func plan(
        _ location: AccountLocation, use: AccountReader.Use = .refused, passphrase: borrowing SecretBytes
    ) throws -> AccountMigrationPlan {
        let account = try AccountReader(location, use: use, fileSystem: fileSystem)
        var pending: [AccountDatabase: PendingMigrations] = [:]
        var sizes: [AccountDatabase: Int64] = [:]
        for database in AccountDatabase.allCases {
            let stored = try account.stored(database)
            sizes[database] = stored.size
            let connection = try account.connect(database, passphrase: passphrase)
            pending[database] = try look(database, connection, stored.path)
        }
        var plan = try plan(pending, sizes, location)
        plan.inUse = account.holder
        return plan
    }

    private func plan(
        _ pending: [AccountDatabase: PendingMigrations], _ sizes: [AccountDatabase: Int64],
        _ location: AccountLocation
    ) throws -> AccountMigrationPlan {
        let steps = AccountDatabase.allCases.map {
            AccountMigrationPlan.Step(pending[$0] ?? .none, $0)
        }
        let affected = steps.filter { $0.direction != .none }.map { sizes[$0.database] ?? 0 }
        // A copy of each, its journal or vacuum file of at most the same size, and a little air.
        let needed = affected.isEmpty ? 0 : affected.reduce(0, +) + 2 * (affected.max() ?? 0) + (1 << 20)
        return AccountMigrationPlan(
            steps: steps, spaceNeeded: needed, freeSpace: try fileSystem.freeSpace(at: location.directory))
    }

    private func look(
        _ database: AccountDatabase, _ connection: borrowing Connection, _ path: FilePath
    ) throws -> PendingMigrations {
        let migrator = Migrator(try list(database))
        try refuseForeign(try migrator.applied(on: connection), database, path)
        return try migrator.pending(on: connection)
    }

    private func list(_ database: AccountDatabase) throws(MaintenanceError) -> MigrationList {
        guard let list = lists[database] else {
            throw MaintenanceError(.invalid, "no migration list for this database")
        }
        return list
    }

    /// A database of the official programs has its own life: it is recognized, and left alone.
    private func refuseForeign(
        _ applied: [AppliedMigration], _ database: AccountDatabase, _ path: FilePath
    ) throws {
        guard let first = applied.first, let ours = try list(database).known.first,
            first.name != ours.name
        else { return }
        let status = SchemaStatus(applied, of: database.lineage)
        guard status.origin == .official else { return }
        if status.isNewer {
            throw MaintenanceError(
                .newer,
                "created by an official app newer than any known here, and only that can migrate it",
                subject: path.string)
        }
        throw MaintenanceError(
            .unsupported,
            "created by an official app (\(Count.text(applied.count, "migration"))); only the "
                + "official apps can "
                + "migrate it. Nothing was changed.", subject: path.string)
    }

    // MARK: Running

    /// Migrates both databases, or tells what stands in the way.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of the account; empty for none.
    ///   - confirmation: what may happen without asking.
    ///   - dryRun: everything is done on the copies, which are then thrown away.
    ///   - ask: for `console`: gets the plan, and answers.
    ///   - beforeStatement: sees the statements, for tests.
    ///   - progress: sees what is done; throw to stop, which changes nothing.
    /// - Throws: `AccountError`, `DatabaseError`, `MigrationError`, ``MaintenanceError``, `FileError`;
    ///   both databases are as they were then.
    package func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        confirmation: MigrationConfirmation, dryRun: Bool = false,
        ask: (AccountMigrationPlan) throws -> Bool = { _ in false },
        beforeStatement: Migrator.StatementHook = { _, _ in }, progress: ProgressHandler = { _ in }
    ) throws -> AccountMigrationReport {
        let start = ContinuousClock.now
        let account = try AccountWriter(location, fileSystem: fileSystem)
        _ = try account.fold(passphrase: passphrase, progress: progress)
        let files = try account.databaseFiles()
        var pending: [AccountDatabase: PendingMigrations] = [:]
        for database in AccountDatabase.allCases {
            guard let file = files[database] else { continue }
            let connection = try Connection(file.path, mode: .readOnlyUnderLock, passphrase: passphrase)
            pending[database] = try look(database, connection, file.path)
        }
        let plan = try plan(pending, files.mapValues(\.size), location)
        func report(_ result: MigrationResult, keepsBackup: Bool = false) -> AccountMigrationReport {
            AccountMigrationReport(
                result: result, plan: plan, recovery: account.recovery, keepsBackup: keepsBackup,
                seconds: (ContinuousClock.now - start) / .seconds(1))
        }
        if plan.isEmpty { return report(.ok) }
        if confirmation == .console { try refuseSecondBackup(location) }
        if let refusal = try refusal(files, pending, plan, confirmation, ask) { return report(refusal) }
        try checkSpace(plan, location)
        try runOnCopies(
            account, files, plan, passphrase, dryRun: dryRun, beforeStatement, progress)
        return report(.ok, keepsBackup: !dryRun)
    }

    /// The official result where the confirmation does not allow what is pending.
    private func refusal(
        _ files: [AccountDatabase: DatabaseFile], _ pending: [AccountDatabase: PendingMigrations],
        _ plan: AccountMigrationPlan, _ confirmation: MigrationConfirmation,
        _ ask: (AccountMigrationPlan) throws -> Bool
    ) throws -> MigrationResult? {
        for database in AccountDatabase.allCases {
            guard let file = files[database], let pending = pending[database],
                let result = pending.refusal(confirmation, file: file.path.string)
            else { continue }
            if case .impossible = pending { return result }
            guard confirmation == .console, try ask(plan) else { return result }
            return nil
        }
        return nil
    }

    private func checkSpace(_ plan: AccountMigrationPlan, _ location: AccountLocation) throws {
        guard plan.freeSpace >= plan.spaceNeeded else {
            throw MaintenanceError(
                .noSpace,
                "the migration needs \(Count.bytes(plan.spaceNeeded)), but only "
                    + "\(Count.bytes(plan.freeSpace)) are free. Nothing was changed.",
                subject: location.directory.string,
                remedy: .freeSpace(plan.spaceNeeded, in: location.directory))
        }
        try refuseSecondBackup(location)
    }

    private func refuseSecondBackup(_ location: AccountLocation) throws {
        guard try AccountBackup(location, fileSystem: fileSystem) == nil else {
            throw MaintenanceError(
                .alreadyExists,
                "the databases from before the last migration are still kept",
                subject: location.directory.string,
                remedy: .confirmOrRollBack(Remedy.Account(location)))
        }
    }

    private func runOnCopies(
        _ account: AccountWriter, _ files: [AccountDatabase: DatabaseFile], _ plan: AccountMigrationPlan,
        _ passphrase: borrowing SecretBytes, dryRun: Bool, _ hook: Migrator.StatementHook,
        _ progress: ProgressHandler
    ) throws {
        let change = try account.change("migration")
        for step in plan.steps where step.direction != .none {
            guard let file = files[step.database] else { continue }
            let copy = change.stagedPath(of: step.database)
            var copied: Int64 = 0
            let activity = "copying the \(step.database.rawValue) database"
            try fileSystem.copy(file.path, to: copy) { count in
                copied += count
                try progress(OperationProgress(activity, completed: copied, total: file.size))
            }
            try migrate(copy, step, passphrase, hook, progress)
            try fileSystem.openForUpdating(copy).synchronize()
            change.replaces(step.database)
        }
        if !dryRun { try change.commit(keepsBackup: true) }
    }

    private func migrate(
        _ copy: FilePath, _ step: AccountMigrationPlan.Step, _ passphrase: borrowing SecretBytes,
        _ hook: Migrator.StatementHook, _ progress: ProgressHandler
    ) throws {
        let connection = try Connection(copy, mode: .readWrite, passphrase: passphrase)
        let name = step.database.rawValue
        try progress(OperationProgress("checking the \(name) database"))
        try check(connection, copy, before: true)
        var last = ""
        var number: Int64 = 0
        let beforeStatement: Migrator.StatementHook = { migration, statement in
            if migration != last {
                last = migration
                number += 1
                try progress(
                    OperationProgress(
                        "migrating the \(name) database: \(migration)", completed: number,
                        total: Int64(step.migrations.count), unit: .items))
            }
            try hook(migration, statement)
        }
        _ = try Migrator(try list(step.database)).run(
            on: connection, confirmation: .yesUpDown, beforeStatement: beforeStatement)
        try progress(OperationProgress("checking the migrated \(name) database"))
        try check(connection, copy, before: false)
    }

    private func check(_ connection: borrowing Connection, _ path: FilePath, before: Bool) throws {
        let problems = try connection.structureProblems(.quick, limit: 1)
        let orphans = try before ? 0 : connection.brokenReferences().reduce(0) { $0 + $1.rows }
        guard problems.isEmpty, orphans == 0 else {
            let problem = problems.first ?? Count.text(orphans, "broken reference")
            let message =
                before
                ? "the database is damaged and was not migrated"
                : "the migrated copy failed its check and was discarded"
            throw MaintenanceError(
                .damaged, "\(message): \(problem). Nothing was changed.", subject: path.lastComponent?.string)
        }
    }

    // MARK: Afterwards

    /// Restores the databases from before the last migration, atomically.
    /// - Parameter agree: called with the account locked, before anything is restored; throws to stop it.
    /// - Returns: what an interrupted run had left; nil for nothing.
    /// - Throws: ``MaintenanceError`` with `notFound` when none are kept; `AccountError`; `FileError`.
    @discardableResult
    package func rollBack(
        _ location: AccountLocation, agree: () throws -> Void = {}
    ) throws -> AccountRecovery? {
        let account = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
        let backup = try backup(location)
        try agree()
        try backup.restore(account)
        return account.recovery
    }

    /// Removes the databases from before the last migration.
    /// - Parameter agree: gets what would be removed, with the account locked; throws to stop it.
    /// - Returns: what was removed.
    /// - Throws: ``MaintenanceError`` with `notFound` when none are kept; `AccountError`; `FileError`.
    package func confirm(
        _ location: AccountLocation, agree: (KeptDatabases) throws -> Void = { _ in }
    ) throws -> KeptDatabases {
        let account = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
        defer { withExtendedLifetime(account) {} }
        let backup = try backup(location)
        let kept = try KeptDatabases(backup)
        try agree(kept)
        try backup.discard()
        return kept
    }

    /// The databases from before the last migration. Nothing changes.
    /// - Throws: ``MaintenanceError`` with `notFound` when none are kept; `AccountError`; `FileError`.
    package func kept(_ location: AccountLocation) throws -> KeptDatabases {
        let lock = try AccountWriter.lockForPlan(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(lock) {} }
        return try KeptDatabases(backup(location))
    }

    private func backup(_ location: AccountLocation) throws -> AccountBackup {
        guard let backup = try AccountBackup(location, fileSystem: fileSystem) else {
            // With a backup it may be what an interrupted import put in the place of an account that was used.
            try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
            throw MaintenanceError(
                .notFound, "no databases kept from before a migration",
                subject: location.directory.string)
        }
        return backup
    }
}

/// The databases from before a migration, and what belongs to them.
package struct KeptDatabases: Sendable, Equatable {
    package let files: [FilePath]
    /// In bytes.
    package let size: Int64

    fileprivate init(_ backup: AccountBackup) throws {
        files = try backup.files()
        size = try backup.size(of: files)
    }
}
