import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Restores one guard.
struct GuardRestoring: Sendable {
    let guarded: GuardFolder
    /// The store, without links.
    let folder: FilePath
    private let state: SessionStateFiles
    private let stamp: String
    private let work: FilePath?
    private let fileSystem: FileSystem
    private let context: OperationContext

    /// - Parameters:
    ///   - guarded: the guard.
    ///   - store: a folder that is there; its database need not be.
    ///   - stamp: the time in names.
    ///   - work: for copies that are opened as a proof.
    ///   - context: is told of progress.
    /// - Throws: ``OperationError``: `notFound`, `invalid`; `FileError`.
    init(
        _ guarded: GuardFolder, into store: FilePath, stamp: String, work: FilePath?,
        _ fileSystem: FileSystem, _ context: OperationContext
    ) throws {
        self.guarded = guarded
        (self.stamp, self.work, self.fileSystem, self.context) = (stamp, work, fileSystem, context)
        guard let state = guarded.record.program.stateFiles else {
            throw OperationError(.invalid, "the guard is of no store", subject: guarded.path.string)
        }
        self.state = state
        guard try fileSystem.isDirectory(store) else {
            throw FileError.noFolder(store, "no folder of the store that the guard was taken of")
        }
        folder = try fileSystem.resolve(store)
        if try GuardFolder.isOne(folder, fileSystem) {
            throw OperationError(.invalid, "this is a guard, not a store", subject: store.string)
        }
        if let found = try SessionPlace.find(folder, fileSystem: fileSystem),
            found.kind != guarded.record.program
        {
            throw OperationError(
                .invalid, "the guard is of a \(guarded.record.program.name), but this is another store",
                subject: store.string)
        }
    }

    private var swap: SessionSwap { SessionSwap(folder: folder, state: state, fileSystem: fileSystem) }

    /// Runs what needs the store and the guard for itself.
    ///
    /// - Parameters:
    ///   - recovers: whether a restore comes to its end first that another run left undone, as late as while a password was typed.
    ///   - body: gets how that ended; nil where there was none.
    /// - Throws: ``OperationError`` with `inUse`; `AccountError` with `inUse` where the program is running; whatever `body` throws;
    ///   as ``GuardedStore/recover(_:_:in:)``.
    func withStore<Value>(
        recovers: Bool, _ body: (SessionSwap.Recovery?) throws -> Value
    ) throws -> Value {
        let locks = (try GuardedStore.lock(folder), try GuardedStore.lock(guarded.path, .shared))
        let recovery = recovers ? try GuardedStore.recoverLocked(folder, fileSystem, in: context) : nil
        let use = try swap.soleUse()
        defer { extendLifetime((locks, use)) }
        return try body(recovery)
    }

    /// Proves the guard.
    /// - Throws: ``OperationError``: `damaged`; `SessionStoreError`: `wrongKey`, `damaged`; `FileError`; `Interruption`.
    func plan(_ secret: SessionSecret?) throws -> PlannedSessionRestore {
        let record = guarded.record
        try guarded.verifyFiles(context.told)
        let content = try content(of: guarded.place(), secret)
        guard content == record.content else {
            throw OperationError(
                .damaged,
                "the guard has \(content.text), but \(record.content.text) were recorded. Nothing was changed.",
                subject: guarded.path.string)
        }
        return PlannedSessionRestore(
            path: guarded.path.string, store: folder.string, taken: record.taken, program: record.program,
            content: content, isInPlace: try isInPlace(), size: record.size)
    }

    private func content(of place: SessionPlace, _ secret: SessionSecret?) throws -> GuardedContent {
        let opened = try SessionOpening(place: place, work: work).open(secret, context.told)
        return try GuardedContent(of: opened.snapshot, context.told)
    }

    private func isInPlace() throws -> Bool {
        do {
            // What comes with the database, and is not in the guard, belongs to another state.
            for file in guarded.record.files {
                let found = try fileSystem.attributes(of: folder.pushing(FilePath(file.path)))
                guard found?.size == file.size else { return false }
            }
            try guarded.verifyFiles(in: folder, context.told)
            return true
        } catch let error as OperationError where error.code == .damaged {
            return false
        }
    }

    /// Replaces the files of the store.
    ///
    /// - Throws: ``OperationError``; `SessionStoreError`; `FileError`; `Interruption`. The previous state is there, or back; or the
    ///   error says that the next run completes it.
    func run(_ secret: SessionSecret?) throws -> RestoredSession {
        try swap.stage(guarded, context.told)
        let journal: SwapJournal
        let use: SoleUse?
        do {
            // A program that is started now finds the new database in use as well.
            use = try swap.soleUse(ofStaged: true)
            journal = try swap.decide(guarded.record, stamp: stamp)
        } catch {
            swap.discardUndecided()
            throw error
        }
        defer { extendLifetime(use) }
        let kept = try afterwards("the restore is decided, but not complete") { try swap.complete(journal) }
        try prove(secret, journal)
        return try afterwards("the database is restored, but the restore is not complete") {
            // As long as the journal is there, the next run knows what was kept.
            let report = try report(kept: kept)
            try swap.discard()
            return report
        }
    }

    /// What fails after the decision leaves what the next run completes, and says so.
    private func afterwards<Value>(_ state: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw OperationError(
                error.code, "\(state): \(error.message)", subject: folder.string, remedy: .giveCommandAgain)
        }
    }

    /// Opens the store where it is, and goes back where it is not what the guard was.
    private func prove(_ secret: SessionSecret?, _ journal: SwapJournal) throws {
        do {
            try guarded.verifyFiles(in: folder, context.told)
            guard let place = try SessionPlace.find(folder, fileSystem: fileSystem) else {
                throw OperationError(.damaged, "no database is in place", subject: folder.string)
            }
            let found = try content(of: place, secret)
            guard found == guarded.record.content else {
                throw OperationError(
                    .damaged, "the store has \(found.text) after the restore", subject: folder.string)
            }
        } catch {
            let cause = error is Interruption ? "interrupted" : error.sentence
            try afterwards("\(cause). The previous database is not back yet") {
                try swap.goBack(journal)
            }
            // What is left decides nothing, and is removed by the next run.
            try? swap.discard()
            guard !(error is Interruption), let failure = error as? any Failure else { throw error }
            throw OperationError(
                failure.code, "\(failure.message). The previous database is back.",
                subject: failure.subject ?? folder.string, remedy: failure.remedy)
        }
    }

    /// What is said of a store that has the files of the guard already.
    /// - Throws: ``OperationError``.
    func reportInPlace(kept: FilePath?) throws -> RestoredSession {
        try afterwards("the database is restored, but cannot count attachments") { try report(kept: kept) }
    }

    /// What is said of the store as it is now.
    /// - Throws: `FileError`.
    private func report(kept: FilePath?) throws -> RestoredSession {
        let attachments = try AttachmentTally(below: folder.pushing(state.attachments), fileSystem) {}
        let record = guarded.record
        return RestoredSession(
            path: guarded.path.string, store: folder.string, taken: record.taken, program: record.program,
            content: record.content, kept: kept?.string, guardedAttachments: record.attachments,
            attachments: attachments)
    }
}
