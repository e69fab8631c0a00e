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

    /// What the store is called in notes.
    private let name: String

    /// Nil where no store is restored, or none with its database.
    init?(_ job: RestoreJob, _ source: PassphraseSource?, _ context: OperationContext) throws {
        guard let facts = job.contents.metadata?.session,
            job.contents.files.contains(where: { $0.name == facts.kind.database })
        else { return nil }
        self.init(
            facts, source ?? PassphraseSource(), context, name: job.location.directory.string,
            places: PrivateFolder.places(context.folders))
    }

    init(
        _ expected: SessionFacts, _ source: PassphraseSource, _ context: OperationContext, name: String,
        places: [FilePath]
    ) {
        (self.expected, self.places, self.source, self.context) = (expected, places, source, context)
        self.name = name
    }

    /// - Throws: `BackupError`: `damaged`; `SessionStoreError`: `wrongKey`, `damaged`; `FileError`; whatever `progress` throws.
    func run(_ folder: FilePath, _ progress: ProgressHandler) throws {
        let facts = try facts(folder, progress)
        context.note(SessionCopyNote(name, facts))
    }

    /// What the restored store has.
    /// - Throws: as ``run(_:_:)``.
    /// - Parameter isNeeded: whether the user is asked for a password that is not given.
    func facts(
        _ folder: FilePath, isNeeded: Bool = false, _ progress: ProgressHandler
    ) throws -> SessionFacts {
        let source = try source(folder, isNeeded)
        let kept = try source.files(in: places, progress)
        defer { extendLifetime(kept) }
        if let damage = kept.files.damage { throw damaged(damage) }
        let facts = kept.files.facts
        guard facts.isOpened, expected.isOpened else { return facts }
        guard facts.schema == expected.schema, facts.messages == expected.messages,
            facts.conversations == expected.conversations
        else { throw damaged("it has other rows than when it was backed up") }
        return facts
    }

    private func source(_ folder: FilePath, _ isNeeded: Bool) throws -> SessionSource {
        // A selection may have left the configuration out.
        let place: SessionPlace =
            switch expected.kind {
            case .desktop: .desktop(try DesktopProfile(folder))
            case .phone: .phone(try PhoneContainer(folder))
            }
        return try AwaitedTask { [context, source] in
            try await SessionSource(place, source, isNeeded: isNeeded, in: context)
        }.value()
    }

    private func damaged(_ what: String) -> BackupError {
        BackupError(.damaged, "the restored database is damaged: \(what)", expected.kind.database)
    }
}
