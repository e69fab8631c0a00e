public import SystemPackage
public import ValiseAccounts
import ValiseChatSchema
import ValiseConcurrency
public import ValiseDatabase
public import ValiseMaintenance
import ValiseSecrets

/// Migrates both databases of an account to another schema version, atomically.
public struct MigrateAccount: Operation {
    package var account: AccountLocation
    /// The last migration of each database; nil for the newest.
    package var targets: [AccountDatabase: String]
    /// What may be done without asking.
    package var confirmation: MigrationConfirmation
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: whose databases are migrated.
    ///   - targets: the last migration of each; those missing go to the newest.
    ///   - confirmation: which migrations may run.
    ///   - passphrase: opens the databases.
    public init(
        _ account: AccountLocation, to targets: [AccountDatabase: String] = [:],
        confirmation: MigrationConfirmation = .yesUp, passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.targets = targets
        self.confirmation = confirmation
        self.passphrase = passphrase
    }

    /// Does everything on copies that are discarded then: what a run would come to.
    public func plan(in context: OperationContext) async throws -> AccountMigrationReport {
        let migration = try AccountMigration(to: targets)
        let key = try await passphrase.passphrase(of: account, for: .changing, in: context)
        let report = try await context.blocking { progress in
            try run(migration, key, dryRun: true, context, progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }

    public func run(in context: OperationContext) async throws -> AccountMigrationReport {
        let migration = try AccountMigration(to: targets)
        let key = try await passphrase.passphrase(of: account, for: .changing, in: context)
        let report = try await context.recoverably("migration", of: account) { progress in
            try run(migration, key, dryRun: false, context, progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }

    private func run(
        _ migration: AccountMigration, _ key: SharedSecret, dryRun: Bool, _ context: OperationContext,
        _ progress: ProgressHandler
    ) throws -> AccountMigrationReport {
        try migration.run(
            account, passphrase: key.bytes, confirmation: confirmation, dryRun: dryRun,
            ask: { try context.answer(whileBlocking: .migrate($0)) ?? false }, progress: progress)
    }
}

/// Lists which migrations an account needs, and the space for them. Read-only.
public struct ListMigrations: Operation {
    package var account: AccountLocation
    /// The last migration of each database; nil for the newest.
    package var targets: [AccountDatabase: String]
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account.
    ///   - targets: the last migration of each database; without one, the newest.
    ///   - passphrase: opens the databases.
    public init(
        of account: AccountLocation, to targets: [AccountDatabase: String] = [:],
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.targets = targets
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> AccountMigrationPlan {
        let migration = try AccountMigration(to: targets)
        let key = try await passphrase.passphrase(of: account, in: context)
        let plan = try await context.blocking { _ in
            try migration.plan(account, use: .allowed, passphrase: key.bytes)
        }
        context.note(InUseNote(account.directory.string, plan.inUse))
        return plan
    }
}

extension AccountMigration {
    /// To given migrations; to the newest where none is given.
    fileprivate init(to targets: [AccountDatabase: String]) throws {
        var lists: [AccountDatabase: MigrationList] = [:]
        for database in AccountDatabase.allCases {
            lists[database] = try MigrationList(database.lineage.migrations, upTo: targets[database])
        }
        try self.init(lists: lists)
    }
}

/// Rolls back the last migration, after ``Question/rollBackMigration(_:)``.
public struct RollBackMigration: Operation {
    package var account: AccountLocation

    /// - Parameter account: which was migrated.
    public init(of account: AccountLocation) { self.account = account }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            var plan = PlannedFiles()
            plan.bytesToProcess = try AccountMigration().kept(account).size
            try plan.write(AccountDatabase.allCases.map(account.path))
            try plan.lookAtSpace(for: account.path(of: .chat))
            return plan
        }
    }

    public func run(in context: OperationContext) async throws {
        let recovery = try await context.blocking { _ in
            try AccountMigration().rollBack(account) {
                try context.require(
                    whileBlocking: .rollBackMigration(account),
                    unasked: .unasked("rolling back a migration", subject: account.directory.string))
            }
        }
        context.note(RecoveryNote(recovery))
    }
}

/// Removes the databases kept from before the last migration, after ``Question/confirmMigration(_:_:)``.
public struct ConfirmMigration: Operation {
    package var account: AccountLocation

    /// - Parameter account: which was migrated.
    public init(of account: AccountLocation) { self.account = account }

    /// What would be removed.
    public func plan(in context: OperationContext) async throws -> ConfirmedMigration {
        try await context.blocking { _ in ConfirmedMigration(try AccountMigration().kept(account)) }
    }

    public func run(in context: OperationContext) async throws -> ConfirmedMigration {
        try await context.blocking { _ in
            let removed = try AccountMigration().confirm(account) { kept in
                try context.require(
                    whileBlocking: .confirmMigration(account, ConfirmedMigration(kept)),
                    unasked: .unasked(
                        "removing the databases from before a migration", subject: account.directory.string))
            }
            return ConfirmedMigration(removed)
        }
    }
}

/// The databases from before a migration that were removed, or would be. It takes no time: they are not read.
public struct ConfirmedMigration: OperationReport, Equatable {
    package let type = "migrationConfirmed"
    /// The databases, with what belongs to them.
    public let removed: [FilePath]
    /// Their size in bytes, which is free again then.
    public let freed: Int64

    init(_ kept: KeptDatabases) {
        removed = kept.files
        freed = kept.size
    }

    private enum CodingKeys: CodingKey { case type, freed }
}
