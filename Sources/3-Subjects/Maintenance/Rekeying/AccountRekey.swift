import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValisePages
import ValiseSecrets

/// Changes, sets or removes the passphrase of both databases of an account, atomically.
///
/// Both new files are written beside the account and proved: each byte is read back from the disk and compared with what
/// was written, and SQLCipher itself opens them and counts what it did in the previous ones. Only then they take the places
/// of the previous files, under the journal of `AccountChange`.
package struct AccountRekey {
    private let fileSystem: FileSystem
    private let engine: PageEngineKind?

    /// - Parameters:
    ///   - fileSystem: where files are read and written.
    ///   - engine: nil for the fastest that this machine has.
    package init(fileSystem: FileSystem = FileSystem(), engine: PageEngineKind? = nil) {
        self.fileSystem = fileSystem
        self.engine = engine
    }

    /// Refuses what would be refused with any passphrase, before anybody is asked for one. What an interrupted run left to be
    /// completed is for ``run(_:config:keepsBackup:dryRun:agree:progress:)``: nothing is looked at then.
    ///
    /// - Throws: ``RekeyError``, `AccountError`, `FileError`.
    package func refuseObstacles(_ location: AccountLocation, keepsBackup: Bool) throws {
        guard try AccountRecovery.pending(location, fileSystem: fileSystem) == nil else { return }
        try RekeyObstacles(location, fileSystem).refuse(keepsBackup: keepsBackup)
        // The least that any conversion needs.
        let files = try AccountWriter.databaseFiles(of: location, fileSystem: fileSystem)
        try plan(location, files, .rekey).checkSpace(location)
    }

    /// Changes the passphrase.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - config: the current passphrase and the new one; either may be empty.
    ///   - keepsBackup: the previous databases stay beside the new ones as `.bak`. They open with the previous
    ///     passphrase.
    ///   - dryRun: passphrase, pages and space are checked; nothing is written but what an interrupted run
    ///     left to be completed. A journal is not looked at.
    ///   - agree: called before anything is written but a merged journal, once the passphrase, the space and what is in the way
    ///     were looked at, unless it is a dry run; throws to stop the change.
    ///   - progress: sees what is done; throw to stop, which changes nothing.
    /// - Throws: ``RekeyError``, `PageCipherError` with the damaged pages, `AccountError`, `DatabaseError`,
    ///   `FileError`; unless the error says otherwise the account is as it was.
    package func run(
        _ location: AccountLocation, config: DBEncryptionConfig, keepsBackup: Bool = false,
        dryRun: Bool = false, agree: () throws -> Void = {}, progress: ProgressHandler = { _ in }
    ) throws -> RekeyReport {
        try config.check(location.directory)
        let account = try AccountWriter(location, fileSystem: fileSystem)
        // The time that was waited for the lock is not the time of the change.
        let start = ContinuousClock.now
        try RekeyObstacles(location, fileSystem).refuse(keepsBackup: keepsBackup)
        let conversion = try config.conversion(of: account.databaseFiles())
        // Folding opens with the passphrase, on private copies: a wrong one changes nothing.
        if !dryRun {
            try fold(account, config, hiddenLogs: [], progress)
        }
        var plan = try plan(location, account.databaseFiles(), conversion)
        try plan.checkSpace(location)
        try progress(OperationProgress("deriving the keys"))
        var keys = try RekeyKeys.derive(plan, config, fileSystem)
        let hiddenLogs = try keys.hiddenLogs()
        if !hiddenLogs.isEmpty, !dryRun {
            try fold(account, config, hiddenLogs: hiddenLogs, progress)
            plan = try self.plan(location, account.databaseFiles(), conversion)
            keys = try RekeyKeys.derive(plan, config, fileSystem)
        }
        func report(changed: Bool) -> RekeyReport {
            RekeyReport(
                plan: plan, changed: changed, keepsBackup: keepsBackup && changed,
                recovery: account.recovery, seconds: (ContinuousClock.now - start) / .seconds(1))
        }
        guard !dryRun else {
            try checkPages(plan, keys, progress)
            return report(changed: false)
        }
        try agree()
        guard !config.isUnchanged else { return report(changed: false) }
        try change(account, plan, keys, config, keepsBackup: keepsBackup, progress)
        return report(changed: true)
    }

    private func plan(
        _ location: AccountLocation, _ files: [AccountDatabase: DatabaseFile], _ conversion: RekeyConversion
    ) throws -> RekeyPlan {
        RekeyPlan(
            conversion: conversion, files: files,
            freeSpace: try fileSystem.freeSpace(at: location.directory))
    }

    /// A folded copy takes the place of the previous file, so that every page of it is checked before.
    private func fold(
        _ account: AccountWriter, _ config: DBEncryptionConfig, hiddenLogs: Set<AccountDatabase>,
        _ progress: ProgressHandler
    ) throws {
        try account.fold(
            passphrase: config.currentKey, hiddenLogs: hiddenLogs, progress: progress
        ) { copy, original in
            guard !config.currentKey.isEmpty else { return }
            let file = try PassphraseProof.open(copy, named: original, config.currentKey, fileSystem)
            let verification = try file.verify(engine: engine) { _ in
                try progress(OperationProgress("checking the database with its journal merged"))
            }
            guard verification.isSound else {
                throw file.damage(
                    verification, named: original,
                    remedy: .salvageAccount(Remedy.Account(ofDatabase: original)))
            }
        }
    }

    private func checkPages(
        _ plan: RekeyPlan, _ keys: RekeyKeys, _ progress: ProgressHandler
    ) throws {
        if plan.conversion == .encrypt { try checkUnencrypted(plan, progress) }
        for (database, file) in keys.ordered {
            try file.refuseDamage(
                engine: engine, "checking the \(database.rawValue) database", progress)
        }
    }

    private func checkUnencrypted(_ plan: RekeyPlan, _ progress: ProgressHandler) throws {
        for database in AccountDatabase.allCases {
            guard let file = plan.files[database] else { continue }
            let connection = try Connection(
                file.path, mode: .readOnlyUnderLock, passphrase: SecretBytes.empty())
            try connection.refuseDamage(
                by: .quick, file.path, "checking the \(database.rawValue) database", progress)
        }
    }

    // MARK: Changing

    private func change(
        _ account: AccountWriter, _ plan: RekeyPlan, _ keys: RekeyKeys, _ config: DBEncryptionConfig,
        keepsBackup: Bool, _ progress: ProgressHandler
    ) throws {
        let change = try account.change("passphrase change")
        let proof = RekeyProof(plan, keys, fileSystem)
        let writer = RekeyWriter(fileSystem, engine, plan, keys, config)
        var checks: [(ProgressHandler) throws -> Void] = []
        for database in AccountDatabase.allCases {
            checks.append(try writer.write(database, to: change.stagedPath(of: database), progress))
            change.replaces(database)
        }
        // SQLite counts while the disk gives back what was written.
        let staged = AccountDatabase.allCases.map { ($0, change.stagedPath(of: $0)) }
        let comparison = proof.startComparing(Dictionary(uniqueKeysWithValues: staged))
        for check in checks { try check(progress) }
        try comparison.value {
            try progress(OperationProgress("comparing the new databases with the previous ones"))
        }
        try progress(OperationProgress("installing the new databases"))
        try change.commit(keepsPrevious: keepsBackup) {
            try proof.open { account.location.path(of: $0) }
        }
    }
}
