import SystemPackage
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Proves that a store of Session opens which was restored, and has what it had when it was backed up. Nothing of it changes by that:
/// a copy of its database is opened.
struct SessionRestoreProof {
    /// As the snapshot has it.
    let expected: SessionFacts
    /// Folders for a copy of the database.
    let places: [FilePath]
    let source: PassphraseSource
    let context: OperationContext

    /// What the store is called in notes and questions.
    private let name: String
    private let restored: RestoredName

    /// Nil where no store is restored, or none with its database.
    init?(_ job: RestoreJob, _ source: PassphraseSource?, _ context: OperationContext) throws {
        guard let facts = job.contents.metadata?.session,
            job.contents.files.contains(where: { $0.name == facts.kind.database })
        else { return nil }
        self.init(
            facts, source ?? PassphraseSource(), context, name: job.location.directory.string,
            restored: .target(job.location.directory), places: PrivateFolder.places(context.folders))
    }

    init(
        _ expected: SessionFacts, _ source: PassphraseSource, _ context: OperationContext, name: String,
        restored: RestoredName, places: [FilePath]
    ) {
        (self.expected, self.places, self.source, self.context) = (expected, places, source, context)
        (self.name, self.restored) = (name, restored)
    }

    /// - Returns: what is wrong with a database that nobody opened when it was backed up, or that was damaged then: it comes back
    ///   as it is in the snapshot. Nil for nothing.
    /// - Throws: `BackupError`: `damaged`; `SessionStoreError`: `wrongKey`, `damaged`; `FileError`; whatever `progress` throws.
    func run(_ folder: FilePath, _ progress: ProgressHandler) throws -> EntryFailure? {
        let (facts, damage) = try look(folder, isNeeded: false, progress)
        if let damage, !expected.isOpened {
            return EntryFailure(
                expected.kind.database, "damaged: \(damage); restored as it is in the snapshot")
        }
        try judge(facts, damage)
        context.note(SessionCopyNote(name, facts))
        return nil
    }

    /// What the restored store has. The user is asked for a password that is not given. Damage is an error, also where it was there
    /// before.
    /// - Throws: as ``run(_:_:)``.
    func facts(_ folder: FilePath, _ progress: ProgressHandler) throws -> SessionFacts {
        let (facts, damage) = try look(folder, isNeeded: true, progress)
        try judge(facts, damage)
        return facts
    }

    private func look(
        _ folder: FilePath, isNeeded: Bool, _ progress: ProgressHandler
    ) throws -> (facts: SessionFacts, damage: String?) {
        try restored.inErrors(of: folder) {
            let kept = try source(folder, isNeeded).files(in: places, progress)
            defer { extendLifetime(kept) }
            return (kept.files.facts, kept.files.damage)
        }
    }

    private func judge(_ facts: SessionFacts, _ damage: String?) throws {
        if let damage { throw damaged(damage) }
        guard facts.isOpened, expected.isOpened else { return }
        guard facts.schema == expected.schema, facts.messages == expected.messages,
            facts.conversations == expected.conversations
        else { throw damaged("it has other rows than when it was backed up") }
    }

    private func source(_ folder: FilePath, _ isNeeded: Bool) throws -> SessionSource {
        // A selection may have left the configuration out.
        let place: SessionPlace =
            switch expected.kind {
            case .desktop: .desktop(try DesktopProfile(folder))
            case .phone: .phone(try PhoneContainer(folder))
            }
        return try AwaitedTask { [context, source, name] in
            try await SessionSource(place, source, isNeeded: isNeeded, name: name, in: context)
        }.value()
    }

    private func damaged(_ what: String) -> BackupError {
        BackupError(.damaged, "the restored database is damaged: \(what)", expected.kind.database)
    }
}
