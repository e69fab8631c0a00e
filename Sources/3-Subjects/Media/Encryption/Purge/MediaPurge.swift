import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Takes away what an account does not need: media that nothing refers to, temporary files, stale work files.
package struct MediaPurge {
    private let fileSystem: FileSystem

    package init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// What would be taken away. Nothing is changed.
    /// - Throws: as ``run(_:passphrase:deletes:confirm:progress:)``.
    package func plan(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        progress: ProgressHandler = { _ in }
    ) throws -> MediaPurgePlan {
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        try checkNothingWaits(location)
        let chat = try reader.connect(.chat, passphrase: passphrase, progress: progress)
        let agent = try reader.connect(.agent, passphrase: passphrase, progress: progress)
        return try search(location, chat, agent, progress)
    }

    /// Moves everything into a folder beside, or deletes it.
    ///
    /// Killed at any point, each file is where it was or in the folder of the purge (or gone, where it is deleted);
    /// the next run does the rest.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked.
    ///   - passphrase: of both databases; empty for none.
    ///   - deletes: instead of moving.
    ///   - confirm: gets the list before anything is done; false to do nothing.
    ///   - progress: sees what is done; throw to stop.
    /// - Throws: ``MediaEncryptionError``: `unsupported` where nobody knows all names that are needed, or nothing
    ///   can be moved; `damaged`; `AccountError`; `DatabaseError`; `FileError`.
    package func run(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, deletes: Bool = false,
        confirm: (MediaPurgePlan) throws -> Bool = { _ in true }, progress: ProgressHandler = { _ in }
    ) throws -> MediaPurgeReport {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        try checkNothingWaits(location)
        _ = try account.fold(passphrase: passphrase, progress: progress)
        let plan = try plan(underLock: location, passphrase, progress)
        var report = MediaPurgeReport(plan, deletes: deletes, recovery: account.recovery)
        guard try confirm(plan) else { return report }
        report.isDone = true
        guard !plan.items.isEmpty else { return report }
        let removal = try PurgeRemoval(plan, deletes: deletes, name: Self.folderName(), fileSystem)
        try removal.run(&report, progress)
        withExtendedLifetime(account) {}
        return report
    }

    private func plan(
        underLock location: AccountLocation, _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> MediaPurgePlan {
        let chat = try Connection(
            location.path(of: .chat), mode: .readOnlyUnderLock, passphrase: passphrase)
        let agent = try Connection(
            location.path(of: .agent), mode: .readOnlyUnderLock, passphrase: passphrase)
        return try search(location, chat, agent, progress)
    }

    private func search(
        _ location: AccountLocation, _ chat: borrowing Connection, _ agent: borrowing Connection,
        _ progress: ProgressHandler
    ) throws -> MediaPurgePlan {
        try progress(OperationProgress("reading file references"))
        let protected = try ProtectedNames(chat: chat, agent: agent)
        return try PurgeSearch(location, protected, fileSystem).run(progress)
    }

    /// Files of an operation that was begun look as if nothing referred to them.
    private func checkNothingWaits(_ location: AccountLocation) throws {
        let work = location.directory.appending(".valise-\(location.prefix)")
        guard try fileSystem.exists(work) else { return }
        guard try fileSystem.list(work).allSatisfy({ $0.name == "backup" }) else {
            throw MediaEncryptionError(
                .failed, "an interrupted operation is pending", subject: work.string,
                remedy: .recoverAccount(Remedy.Account(location)))
        }
    }

    /// Such as `valise-purged-2026-11-21T101112Z`.
    private static func folderName() -> String {
        let time = UTCTime.now.isoText.filter { $0 != ":" }
        return "valise-purged-\(time)"
    }
}
