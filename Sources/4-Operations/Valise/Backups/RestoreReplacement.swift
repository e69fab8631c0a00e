import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseRepository
import ValiseSecrets

/// Puts a whole account of a snapshot into a folder that has something already: in the place of an account, or where only its media
/// are left. As an import does it: everything is prepared and proved beside it, then put in place atomically.
struct RestoreReplacement {
    private let job: RestoreJob
    private var location: AccountLocation { job.location }
    private var fileSystem: FileSystem { job.fileSystem }

    init(_ job: RestoreJob) { self.job = job }

    /// - Throws: ``OperationError``: `alreadyExists` where an account may not be replaced; `unsupported` for a snapshot without one of
    ///   the databases; `AccountError`; `FileError`.
    func refuseObstacles() throws {
        for database in AccountDatabase.allCases
        where !job.contents.files.contains(where: { $0.name == database.archiveName }) {
            throw OperationError(
                .unsupported,
                "the \(database.rawValue) database is not in this snapshot. Nothing was changed.",
                subject: "\(job.snapshot.id)", remedy: .chooseAnotherFolder)
        }
        try refuseReplacing()
        _ = try previous()
        try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        _ = try AccountWriter.lockForPlan(location, fileSystem: fileSystem)
        try AccountChange.checkObstacles(
            location, mergingInto: [location.filesName, location.wallpapersName], fileSystem: fileSystem)
    }

    /// How many databases are there.
    func replaced() throws -> Int {
        try AccountDatabase.allCases.count { try fileSystem.exists(location.path(of: $0)) }
    }

    /// Where the previous account shall stay; nil where it shall not.
    func previous() throws -> PreviousAccount? {
        try job.choice.keepsPreviousAs.map {
            try PreviousAccount(of: location, as: $0, fileSystem: fileSystem)
        }
    }

    /// How old the snapshot is against the account in place.
    func age(_ keys: RestoreKeys) throws -> ImportAge {
        let storage = try SnapshotStorage(job.opened.repository, job.snapshot, at: job.place)
        let comparison = AgeComparison(location, fileSystem, previousPassphrase: keys.previous) { database in
            guard let stored = try? storage.stored(database), stored.modificationTime != 0 else { return nil }
            return AgeComparison.Moment(seconds: stored.modificationTime)
        }
        // Databases that are kept open need none.
        let key = job.contents.needsPassphrase ? nil : keys.restored ?? keys.previous
        return try key.lent { try comparison.age(passphrase: $0) { try storage.unfolded($0) } }
    }

    /// Why an account is not replaced that is newer than the snapshot or another one, unless it is kept or that was asked for.
    func refusal(_ age: ImportAge?) -> OperationError? {
        guard let age, age.losesWork, job.choice.keepsPreviousAs == nil, !job.choice.acceptsOlder,
            let warning = age.warning(isDone: false, of: "snapshot")
        else { return nil }
        return OperationError(
            .alreadyExists, "\(warning). Nothing was changed.", subject: location.directory.string,
            need: .olderState)
    }

    // MARK: Running

    func run(
        _ keys: RestoreKeys, in context: OperationContext, _ progress: ProgressHandler
    ) throws -> RestoredSnapshot {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        // What an interrupted operation left may have been something else.
        try refuseReplacing()
        let isReplacing = try replaced() > 0
        try progress(OperationProgress("comparing with the account in place"))
        let age = isReplacing ? try age(keys) : nil
        if isReplacing { try agree(age, context) }
        let change = try account.change("restore")
        let previous = try previous()
        try job.refuseShortage(
            of: job.contents.files, and: previous.map { try change.spaceNeeded(toKeep: $0) } ?? 0)
        let media = try previous.map { try change.keeps($0, progress: progress) }
        let report = try keys.restored.lent {
            try job.restore().stage(in: change, of: location, passphrase: $0, progress: progress)
        }
        try prove(change, keys, progress)
        try progress(OperationProgress("flushing", completed: report.size, total: report.size))
        try fileSystem.synchronizeAll(change.stagingFolder)
        let isWhole = try replaced() == AccountDatabase.allCases.count
        let outcome = try change.commit()
        var restored = RestoredSnapshot(SnapshotSketch(job.snapshot), report)
        restored.recovery = account.recovery
        restored.replacedAccount = isReplacing
        restored.age = age
        if let media, let name = outcome.keptPrevious {
            restored.keptPrevious = KeptPrevious(
                directory: location.directory.appending(name).string, media: media, isIntact: isWhole)
        }
        return restored
    }

    private func refuseReplacing() throws {
        if try replaced() > 0, !job.choice.replacesAccount {
            throw OperationError(
                .alreadyExists, "an account already exists here. Nothing was changed.",
                subject: location.directory.string, remedy: .replaceAccount(Remedy.Account(location)))
        }
    }

    /// Asks, where nothing else refuses it. Who agreed before has not seen that the account is newer.
    private func agree(_ age: ImportAge?, _ context: OperationContext) throws {
        guard job.choice.keepsPreviousAs == nil else { return }
        let question = Question.replaceAccount(
            location, warning: age?.warning(isDone: false, of: "snapshot"))
        if try context.questions.areSettled(before: question), let refusal = refusal(age) { throw refusal }
        try context.require(
            whileBlocking: question,
            unasked: refusal(age) ?? .unasked("replacing an account", subject: location.directory.string))
    }

    /// Databases that are damaged replace none, unless the previous ones stay.
    private func prove(
        _ change: AccountChange, _ keys: RestoreKeys, _ progress: ProgressHandler
    ) throws {
        let isOpened = keys.restored != nil || job.choice.isUnencrypted
        let sources = try AccountDatabase.allCases.map {
            (
                source: try FileSource(change.stagedPath(of: $0), fileSystem: fileSystem) as any ByteSource,
                name: $0.archiveName
            )
        }
        var databases = try keys.restored.lent { try DatabasesCheck(sources, passphrase: $0) }
        try databases.checkPages(progress)
        var proof = ImportProof(databases)
        let walks = proof.backgroundWalks()
        try proof.readSchemas(progress)
        try proof.finish(walks, progress)
        guard let code = proof.judgement.refusal, job.choice.keepsPreviousAs == nil else { return }
        guard isOpened || code != .wrongPassphrase else { return }
        throw OperationError(
            code,
            "\(proof.firstProblem ?? "the databases in this snapshot are damaged"). Nothing was changed.",
            subject: "\(job.snapshot.id)", remedy: .chooseAnotherFolder)
    }
}
