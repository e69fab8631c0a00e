package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Takes a guard of a store of Session before its program is updated: a copy of the database and of what has its key, proved by
/// opening it. The program takes none itself before it migrates. It may be running.
package struct GuardSession: Operation {
    /// The profile of Session Desktop, or the folder of Session iOS.
    package var store: FilePath
    /// Where the guard goes; nil for beside the store.
    package var folder: FilePath?
    /// The password of the profile, or the key of the phone's database, which is stored nowhere.
    package var passphrase: PassphraseSource
    var fileSystem = FileSystem()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ store: FilePath, to folder: FilePath? = nil, passphrase: PassphraseSource = .init()) {
        self.store = store
        self.folder = folder
        self.passphrase = passphrase
    }

    package func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in
            let taking = try taking(GuardedStore(store, fileSystem), work: nil, context)
            try taking.checkSpace()
            var plan = PlannedFiles()
            let target = try taking.target()
            try plan.write([target])
            // What is copied is read again as a proof.
            plan.bytesToProcess = try 2 * taking.size()
            try plan.lookAtSpace(for: target)
            return plan
        }
    }

    /// - Throws: `SessionStoreError`: `wrongKey`, `noKey`, `inUse`, `damaged`, `newer`, `unsupported`; ``OperationError``:
    ///   `notFound`, `unsupported`, `inUse`; `FileError`: `noSpace`.
    package func run(in context: OperationContext) async throws -> TakenSessionGuard {
        let context = context.asking(to: "guard its database")
        let found = try await context.blocking { _ in
            try GuardedStore.recover(store, fileSystem, in: context)
            return try GuardedStore(store, fileSystem)
        }
        let work = try await context.blocking { _ in
            try SessionAccess.work(for: found.place, context.folders)
        }
        defer { extendLifetime(work) }
        return try await SessionSecret.trying(passphrase, on: found.place, in: context) { secret in
            let lock = try GuardedStore.lock(found.folder)
            defer { extendLifetime(lock) }
            // Another run may have been killed while the password was typed.
            try GuardedStore.recoverLocked(found.folder, fileSystem, in: context)
            let guarded = try taking(GuardedStore(store, fileSystem), work: work?.path, context).run(secret)
            return TakenSessionGuard(guarded, neededSecret: secret != nil)
        }
    }

    private func taking(
        _ store: GuardedStore, work: FilePath?, _ context: OperationContext
    ) -> GuardTaking {
        GuardTaking(
            store: store, folder: folder ?? store.folder.parentFolder, work: work,
            time: UTCTime(seconds: clock()), context: context, fileSystem: fileSystem)
    }
}

/// A guard that was taken.
package struct TakenSessionGuard: OperationReport {
    /// Where it is.
    package let path: String
    /// In UTC.
    package let taken: String
    package let program: SessionPlace.Kind
    /// What is in its database.
    package let content: GuardedContent
    /// Of the store. They are not in the guard.
    package let attachments: AttachmentTally
    /// Of its files, in bytes.
    package let size: Int64
    /// Whether what opens the database is in the guard: else the user gives it again to restore.
    package let hasKey: Bool

    /// - Parameters:
    ///   - guarded: the guard.
    ///   - neededSecret: whether the user gave what opens it, or what opens the key that is in it.
    init(_ guarded: GuardFolder, neededSecret: Bool) {
        path = guarded.path.string
        let record = guarded.record
        (taken, program, content) = (record.taken, record.program, record.content)
        (attachments, size) = (record.attachments, record.size)
        hasKey = !neededSecret && record.files.contains { $0.path == record.program.stateFiles?.key.string }
    }
}
