import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Puts the files of a guard in the place of a store's, so that a crash at any moment leaves what the next run completes or
/// takes back.
///
///     .valise-restore-NAME/          beside the store; only while a restore is pending
///         new/                       copies of the guard's files
///         journal.json               the decision
///     NAME-before-restore-TIME/      what was replaced: a store without attachments
///
/// Every step can be repeated, and one that was done is passed over: the recovery is the same code.
struct SessionSwap {
    /// The store.
    let folder: FilePath
    let state: SessionStateFiles
    let fileSystem: FileSystem

    private static let workLead = ".valise-restore-"
    /// Stands in the names of what is kept, between that of the store and the time.
    static let keptInfix = "-before-restore-"

    private var parent: FilePath { folder.parentFolder }
    private var name: String { folder.lastComponent?.string ?? "store" }
    private var workFolder: FilePath { parent.appending(Self.workLead + name) }
    private var staging: FilePath { workFolder.appending("new") }

    /// The restore of a store that was interrupted; nil for none.
    /// - Throws: ``OperationError``: `newer`, `damaged`; `FileError`.
    static func pending(_ folder: FilePath, _ fileSystem: FileSystem) throws -> SessionSwap? {
        // Without a journal nothing of the store was touched, whichever it is.
        let swap = SessionSwap(folder: folder, state: .desktop, fileSystem: fileSystem)
        guard try fileSystem.exists(swap.workFolder) else { return nil }
        let journal = try SwapJournal.read(in: swap.workFolder, fileSystem)
        return SessionSwap(
            folder: folder, state: journal?.program.stateFiles ?? .desktop, fileSystem: fileSystem)
    }

    /// What is said of a store without a database, where that is because a restore was interrupted; nil for any other.
    /// - Throws: `FileError`; ``OperationError``: `newer`, `damaged`.
    static func error(for path: FilePath) throws -> OperationError? {
        let fileSystem = FileSystem()
        guard try fileSystem.isDirectory(path), try pending(fileSystem.resolve(path), fileSystem) != nil
        else {
            return nil
        }
        return OperationError(
            .failed, "no database, because a restore of a guard was interrupted: the next one completes it",
            subject: path.string)
    }

    // MARK: Preparing

    /// Copies the files of a verified guard beside the store, and verifies the copies.
    ///
    /// - Throws: ``OperationError``: `damaged`, `unsupported`; `FileError`: `alreadyExists` where another restore is pending;
    ///   whatever `progress` throws. Nothing is left then.
    func stage(_ guarded: GuardFolder, _ progress: ProgressHandler) throws {
        try checkFileSystem()
        // One that is there is another run's, with what the store may depend on: it is never discarded here.
        try fileSystem.makeDirectory(workFolder)
        do {
            try fileSystem.makeDirectory(staging)
            var done: Int64 = 0
            for file in guarded.record.files {
                let copy = staging.pushing(FilePath(file.path))
                if try !fileSystem.exists(copy.parentFolder) {
                    try fileSystem.makeDirectory(copy.parentFolder)
                }
                try fileSystem.copy(guarded.path.pushing(FilePath(file.path)), to: copy) { count in
                    done += count
                    try progress(
                        OperationProgress(
                            "copying the guard", completed: done, total: guarded.record.size, unit: .bytes))
                }
            }
            try guarded.verifyFiles(in: staging, progress)
            for folder in Set(guarded.record.files.map { staging.pushing(FilePath($0.path)).parentFolder }) {
                try fileSystem.synchronizeDirectory(folder)
            }
            for folder in [staging, workFolder, parent] { try fileSystem.synchronizeDirectory(folder) }
        } catch {
            try? discard()
            throw error
        }
    }

    /// Putting in place is renaming, which stays on one file system.
    private func checkFileSystem() throws {
        let database = folder.pushing(state.database).parentFolder
        let device = try fileSystem.attributes(of: fileSystem.resolve(parent))?.device
        for path in [folder, database] where try fileSystem.exists(path) {
            guard try fileSystem.attributes(of: fileSystem.resolve(path))?.device == device else {
                throw OperationError(
                    .unsupported, "it is on another file system than the folder that contains the store",
                    subject: path.string)
            }
        }
    }

    /// Removes what was prepared.
    /// - Throws: `FileError`.
    func discard() throws(FileError) {
        guard try fileSystem.exists(workFolder) else { return }
        try fileSystem.removeTree(staging)
        let journal = workFolder.appending(SwapJournal.fileName)
        for path in [journal.appendingSuffix(".new"), journal] where try fileSystem.exists(path) {
            try fileSystem.remove(path)
        }
        try fileSystem.removeDirectory(workFolder)
        try fileSystem.synchronizeDirectory(parent)
    }

    /// The same after a failure, but for a restore that is decided: a journal may have got its name before a flush failed.
    func discardUndecided() {
        let path = workFolder.appending(SwapJournal.fileName)
        if (try? fileSystem.exists(path)) == false { try? discard() }
    }

    // MARK: Deciding

    /// Decides to replace.
    /// - Parameters:
    ///   - record: of the guard that was prepared.
    ///   - stamp: the time in the name of what is kept.
    /// - Throws: `FileError`. Where the restore is decided all the same, the next run completes it.
    func decide(_ record: GuardRecord, stamp: String) throws -> SwapJournal {
        var replaced: [String: FileStamp] = [:]
        for file in state.all + [state.index] {
            guard let found = try fileSystem.attributes(of: folder.pushing(file)) else { continue }
            replaced[file.string] = FileStamp(found)
        }
        let journal = SwapJournal(
            program: record.program, files: record.files, replaced: replaced, keptName: try keptName(stamp))
        try journal.write(in: workFolder, fileSystem)
        return journal
    }

    private func keptName(_ stamp: String) throws(FileError) -> String {
        let first = name + Self.keptInfix + stamp
        var (kept, number) = (first, 1)
        while try fileSystem.exists(parent.appending(kept)) {
            number += 1
            kept = "\(first)-\(number)"
        }
        return kept
    }

    /// Completes what was decided.
    /// - Returns: the folder with what was replaced; nil where there was nothing.
    /// - Throws: `FileError`.
    func complete(_ journal: SwapJournal) throws -> FilePath? {
        try steps(journal).forward()
        return try kept(journal)
    }

    /// Decides to go back, and does.
    /// - Throws: `FileError`.
    func goBack(_ journal: SwapJournal) throws {
        var journal = journal
        if !journal.isGoingBack {
            journal.isGoingBack = true
            try journal.write(in: workFolder, fileSystem)
        }
        try steps(journal).back()
        // It goes first here: to go back once more would remove what a program makes from now on.
        try fileSystem.remove(workFolder.appending(SwapJournal.fileName))
        try fileSystem.synchronizeDirectory(workFolder)
    }

    /// The folder with what was replaced; nil where there was nothing.
    /// - Throws: `FileError`.
    func kept(_ journal: SwapJournal) throws(FileError) -> FilePath? {
        let path = parent.appending(journal.keptName)
        return try fileSystem.exists(path) ? path : nil
    }

    private func steps(_ journal: SwapJournal) -> SwapSteps {
        SwapSteps(
            folder: folder, staging: staging, kept: parent.appending(journal.keptName), state: state,
            journal: journal, fileSystem: fileSystem)
    }

    // MARK: Recovery

    /// Keeps the program away from the database, or from the one that is prepared.
    /// - Returns: nil where there is none.
    /// - Throws: `AccountError` with `inUse`; `FileError`.
    func soleUse(ofStaged isStaged: Bool = false) throws -> SoleUse? {
        let path = (isStaged ? staging : folder).pushing(state.database)
        return try fileSystem.exists(path) ? SoleUse(of: path, fileSystem) : nil
    }

    /// How an interrupted restore ended.
    enum Recovery: Sendable, Equatable {
        /// It was not decided, or taken back: the store is as it was before.
        case before
        /// It is complete.
        case after(kept: FilePath?)
    }

    /// Completes an interrupted restore, or takes it back where the program has used the store since.
    ///
    /// - Returns: nil where there is nothing to say.
    /// - Throws: ``OperationError``: `newer`, `damaged`; `AccountError` with `inUse`; `FileError`.
    func recover() throws -> Recovery? {
        let use = (try soleUse(), try soleUse(ofStaged: true))
        defer { extendLifetime(use) }
        guard let journal = try SwapJournal.read(in: workFolder, fileSystem) else {
            // What is empty is the last of a restore that ended.
            let isUndecided = try fileSystem.exists(staging)
            try discard()
            return isUndecided ? .before : nil
        }
        let steps = steps(journal)
        if try journal.isGoingBack || steps.wasUsedSince() {
            try goBack(journal)
            try discard()
            return .before
        }
        let kept = try complete(journal)
        try discard()
        return .after(kept: kept)
    }
}
