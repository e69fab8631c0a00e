import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// Brings databases of an older or custom cipher format to SQLCipher 4's defaults, the only ones that the
/// official programs open. The passphrase stays.
package struct CipherUpgrade {
    private let fileSystem: FileSystem

    package init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// Upgrades what needs it, by copy, atomically.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of the account; empty for none.
    ///   - hint: the key derivation of databases with settings of one's own.
    ///   - keepsBackup: the previous databases stay beside the new ones as `.bak`. Those of format 1 always do,
    ///     since nobody can tell damage from content there.
    ///   - dryRun: only tells.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: ``RekeyError``, `PageCipherError`, `AccountError`, `DatabaseError`, `FileError`; the account is
    ///   as it was then.
    package func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, hint: CipherHint? = nil,
        keepsBackup: Bool = false, dryRun: Bool = false, progress: ProgressHandler = { _ in }
    ) throws -> CipherUpgradeReport {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        let obstacles = RekeyObstacles(location, fileSystem)
        try obstacles.refuse(keepsBackup: keepsBackup)
        let previous = try identify(account, passphrase, hint, progress)
        let due = AccountDatabase.allCases.filter { previous[$0].map { $0.settings != .format4 } ?? false }
        // Without HMACs nobody can tell damage from content: what was before must not go.
        let keepsBackup = keepsBackup || due.contains { previous[$0]?.settings.hmacAlgorithm == nil }
        try obstacles.refuse(keepsBackup: keepsBackup)
        let settings = previous.mapValues(\.settings)
        let size = try due.reduce(Int64(0)) {
            $0 + (try fileSystem.attributes(of: location.path(of: $1))?.size ?? 0)
        }
        if due.isEmpty || dryRun {
            return CipherUpgradeReport(
                previous: settings, upgraded: [], size: size, recovery: account.recovery, keepsBackup: false)
        }
        let change = try account.change("cipher format upgrade")
        for database in due {
            guard let file = previous[database] else { continue }
            try upgrade(database, file, passphrase, to: change.stagedPath(of: database), progress)
            change.replaces(database)
        }
        try change.commit(keepsPrevious: keepsBackup) {
            for database in due {
                _ = try Connection(
                    location.path(of: database), mode: .readOnlyUnderLock, passphrase: passphrase)
            }
        }
        return CipherUpgradeReport(
            previous: settings, upgraded: due, size: size, recovery: account.recovery,
            keepsBackup: keepsBackup)
    }

    private func identify(
        _ account: AccountWriter, _ passphrase: borrowing SecretBytes, _ hint: CipherHint?,
        _ progress: ProgressHandler
    ) throws -> [AccountDatabase: EncryptedDatabaseFile] {
        var found: [AccountDatabase: EncryptedDatabaseFile] = [:]
        var failures: [AccountDatabase: any Error] = [:]
        let files = try account.databaseFiles()
        for database in AccountDatabase.allCases {
            guard let file = files[database] else { continue }
            try progress(OperationProgress("inspecting the \(database.rawValue) database"))
            guard !file.needsFolding else {
                throw RekeyError.writing(
                    .unsupported,
                    "the database has a pending journal. Nothing was changed.",
                    file.path, remedy: .mergeJournalElsewhere)
            }
            let source = try FileSource(file.path, fileSystem: fileSystem)
            let opened: EncryptedDatabaseFile
            do {
                opened = try PassphraseProof.opened(
                    CipherIdentification.identify(source, passphrase: passphrase, hint: hint), file.path)
            } catch let error as RekeyError where error.code == .wrongPassphrase {
                failures[database] = error
                continue
            }
            guard try !opened.asksForLog() else {
                throw RekeyError.writing(
                    .unsupported,
                    "the database uses a write-ahead log. Nothing was changed.",
                    file.path, remedy: .turnOffLogElsewhere)
            }
            found[database] = opened
        }
        try PassphraseProof.refuse(failures)
        return found
    }

    private func upgrade(
        _ database: AccountDatabase, _ previous: EncryptedDatabaseFile, _ passphrase: borrowing SecretBytes,
        to target: FilePath, _ progress: ProgressHandler
    ) throws {
        try previous.refuseDamage("checking the \(database.rawValue) database", progress)
        let pragmas = previous.settings.pragmas
        // As it is derived already, with the salt, which may not be in the file.
        let raw = try previous.key.rawPassphrase()
        let source = try Connection(previous.path, mode: .readOnlyUnderLock, passphrase: raw, cipher: pragmas)
        if previous.settings.hmacAlgorithm == nil {
            try source.refuseDamage(
                by: .full, previous.path, "checking tables and indexes", progress)
        }
        let before = try DatabaseSummary(source, .encrypt)
        try fileSystem.create(target).close()
        try DatabaseExport(from: previous.path, passphrase: raw, cipher: pragmas)
            .write(to: target, passphrase: passphrase) {
                try progress(OperationProgress("upgrading the \(database.rawValue) database"))
            }
        try fileSystem.openForUpdating(target).synchronize()
        try progress(OperationProgress("checking the new \(database.rawValue) database"))
        let after = try DatabaseSummary(
            Connection(target, mode: .readOnlyUnderLock, passphrase: passphrase), .encrypt)
        guard before == after else {
            throw RekeyError.writing(
                .failed, "the new database differs from the previous one. Nothing was changed.",
                previous.path)
        }
        let written = try PassphraseProof.opened(
            CipherIdentification.identify(
                FileSource(target, fileSystem: fileSystem), passphrase: passphrase), target)
        let check = try written.verify()
        guard check.isSound, written.settings == .format4 else {
            throw written.damage(check, remedy: .salvageAccount(Remedy.Account(ofDatabase: previous.path)))
        }
    }
}
