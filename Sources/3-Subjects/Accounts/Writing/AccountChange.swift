package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles

/// Prepares the new parts of an account beside it and puts them in place atomically.
///
///     prepare in .valise-PREFIX/new      a crash here: thrown away, the account is as it was
///     write journal.json                 the decision
///     rename everything into place       a crash here: the next run goes on
///     remove journal, previous files       a crash here: the next run cleans up
///
/// Everything lies on the account's own file system, so that putting in place is renaming.
package final class AccountChange {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let lock: AccountLock
    private let operation: String
    private var steps: [ChangeStep] = []
    private var previousFolder: String?
    private var isReadOnly = false
    private var isDecided = false

    static let stagedName = "new"
    static let previousName = "former"
    static let backupName = "backup"
    static let discardedName = "discarded"

    /// What the official programs append to the name of a previous database.
    package static let keptSuffix = ".bak"

    private var workFolder: FilePath { location.workFolder }

    /// Where new parts are prepared.
    package var stagingFolder: FilePath { workFolder.appending(Self.stagedName) }

    /// - Parameters:
    ///   - location: the account.
    ///   - operation: a word for messages, such as `import`.
    ///   - lock: exclusive; held until the end.
    /// - Throws: `FileError`; ``AccountError``.
    init(
        _ location: AccountLocation, operation: String, lock: AccountLock, fileSystem: FileSystem
    ) throws {
        self.location = location
        self.operation = operation
        self.lock = lock
        self.fileSystem = fileSystem
        if !(try fileSystem.exists(location.workFolder)) {
            try fileSystem.makeDirectory(location.workFolder)
        }
        do {
            try fileSystem.removeTree(stagingFolder)
            try fileSystem.makeDirectory(stagingFolder)
        } catch {
            try? WorkFolder(location, fileSystem).removeIfEmpty()
            throw error
        }
    }

    deinit {
        // Not decided: nothing of it may stay. Where even that fails the next run cleans up.
        if !isDecided { try? WorkFolder(location, fileSystem).discardPreparations() }
    }

    /// Where the new file of a database is prepared.
    package func stagedPath(of database: AccountDatabase) -> FilePath {
        stagingFolder.appending(location.prefix + database.suffix)
    }

    /// The prepared database shall replace the account's.
    package func replaces(_ database: AccountDatabase) {
        let name = location.prefix + database.suffix
        steps.append(.database(staged: relative(name), target: name))
    }

    /// Makes a folder for files that shall go into the media or wallpapers folder.
    ///
    /// - Parameters:
    ///   - name: of the folder that is made.
    ///   - target: relative to the account's folder.
    ///   - growth: nil to replace files of the same name, whatever they are. Else a file only replaces the one
    ///     that it was made from: that has its modification time and is by so many bytes smaller. Where that
    ///     was changed or removed since, what is there stays as it is.
    /// - Throws: `FileError`.
    package func stageFolder(
        _ name: String, mergingInto target: String, growth: Int64? = nil
    ) throws -> FilePath {
        let path = stagingFolder.appending(name)
        try fileSystem.makeDirectory(path)
        steps.append(.merge(staged: relative(name), target: target, growth: growth))
        return path
    }

    /// The folder shall be there.
    package func needsFolder(_ target: String) {
        steps.append(.folder(target: target))
    }

    /// The databases get the mark that they are only to be read, and a mode that says the same.
    ///
    /// Call it before ``replaces(_:)``: no database is in place without its mark then.
    /// - Throws: `FileError`.
    package func marks(_ mark: ReadOnlyMark) throws {
        let name = location.readOnlyMarkName
        try mark.write(to: stagingFolder.appending(name), fileSystem)
        steps.append(.file(staged: relative(name), target: name))
        isReadOnly = true
    }

    /// The account loses the mark that it is only to be read, where it has one.
    ///
    /// Call it after ``replaces(_:)``: until then nothing else may change it.
    func removesMark() throws(FileError) {
        guard try ReadOnlyMark.isThere(location, fileSystem: fileSystem) else { return }
        steps.append(.removal(target: location.readOnlyMarkName))
    }

    /// The account that is replaced stays, whole, in a folder of its own: its databases with their journals, and
    /// second names of all its media.
    ///
    /// Call it before ``replaces(_:)`` and before media are staged.
    ///
    /// - Parameters:
    ///   - previous: the account that is kept.
    ///   - progress: sees the bytes copied, where the file system has no hard links; throw to stop.
    /// - Throws: `FileError`; whatever `progress` throws.
    package func keeps(_ previous: PreviousAccount, progress: ProgressHandler = { _ in }) throws
        -> PreviousAccount.Media
    {
        let folder = try stageFolder("former", mergingInto: previous.name)
        previousFolder = previous.name
        return try previous.linkMedia(into: folder, fileSystem, progress)
    }

    /// The bytes that it takes to keep the account: those of its media where the file system has no hard links.
    /// - Throws: `FileError`.
    package func spaceNeeded(toKeep previous: PreviousAccount) throws -> Int64 {
        try previous.spaceNeeded(stagingFolder, fileSystem)
    }

    /// Looks for what would stop an import in the middle, before anything is prepared.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - folders: of media, relative to the account's folder, that need not be there.
    ///   - fileSystem: where files are read and written.
    /// - Throws: ``AccountError``; `FileError`.
    package static func checkObstacles(
        _ location: AccountLocation, mergingInto folders: [String], fileSystem: FileSystem
    ) throws {
        let databases = AccountDatabase.allCases.map { location.prefix + $0.suffix }
        let steps =
            databases.map { ChangeStep.database(staged: $0, target: $0) }
            + folders.map { ChangeStep.merge(staged: $0, target: $0, growth: nil) }
        try ChangeObstacles(location, fileSystem).check(steps, from: location.directory)
    }

    private func relative(_ name: String) -> String {
        "\(AccountLocation.workPrefix)\(location.prefix)/\(Self.stagedName)/\(name)"
    }

    /// Puts everything in place.
    ///
    /// What was prepared must be durable: each file flushed by its writer, or `FileSystem.synchronizeAll(_:)`.
    ///
    /// - Parameters:
    ///   - keepsBackup: the replaced databases stay for ``AccountBackup``.
    ///   - dropsBackup: those that stayed are removed.
    ///   - proof: called when all is in place, before the replaced databases are removed. Where it throws,
    ///     they stay for ``AccountBackup``.
    ///   - keepsPrevious: the replaced databases stay beside the new ones, with ``keptSuffix``.
    /// - Returns: what is kept of the replaced databases, and where.
    /// - Throws: ``AccountError``; `FileError`. Until the journal is written the account is as it was;
    ///   afterwards the error says that the next run completes the operation.
    @discardableResult
    package func commit(
        keepsBackup: Bool = false, dropsBackup: Bool = false, keepsPrevious: Bool = false,
        proof: () throws -> Void = {}
    ) throws -> ChangeOutcome {
        let journal = ChangeJournal(
            operation: operation, steps: steps, keepsBackup: keepsBackup, dropsBackup: dropsBackup,
            keepsPrevious: keepsPrevious, keepsPreviousIn: previousFolder, replaced: try replacedDatabases())
        _ = try journal.encoded(for: workFolder)
        if keepsBackup { try PreviousDatabases(location, fileSystem).refuseSecondBackup() }
        if let previousFolder {
            try PreviousAccount.checkIsFree(location.directory.appending(previousFolder), fileSystem)
        }
        try ChangeObstacles(location, fileSystem).check(steps, from: stagingFolder)
        try giveOwners()
        try synchronizeStaging(stagingFolder)
        try fileSystem.synchronizeDirectory(workFolder)
        try fileSystem.synchronizeDirectory(location.directory)
        try lock.add(stagedDatabases(), fileSystem: fileSystem)
        if isReadOnly { try protect(stagedDatabases()) }
        let path = workFolder.appending(ChangeJournal.fileName)
        do {
            try journal.write(in: workFolder, fileSystem)
        } catch {
            // The rename may have happened before its flush failed: then the operation is decided all the same.
            isDecided = (try? fileSystem.exists(path)) ?? true
            throw error
        }
        isDecided = true
        do {
            let outcome = try ChangeExecutor(location, fileSystem).complete(journal, proof: proof)
            lock.dropReplaced(location, fileSystem: fileSystem)
            return outcome
        } catch let error as ChangeProofError {
            throw AccountError(
                .failed,
                "the \(operation) is complete, but the new databases do not open. The previous databases are kept.",
                location.directory, cause: error.cause, remedy: .rollBack(Remedy.Account(location)))
        } catch {
            let code = (error as? any Failure)?.code ?? .failed
            throw AccountError(
                code, "the \(operation) is committed but not complete", location.directory, cause: error,
                remedy: .startAnyOperation(Remedy.Account(location)))
        }
    }

    /// Once they are locked, which needs to open them for writing.
    private func protect(_ paths: [FilePath]) throws(FileError) {
        for path in paths {
            let file = try fileSystem.openForUpdating(path)
            try file.setPermissions(.ownerRead)
            try file.synchronize()
        }
    }

    private func replacedDatabases() throws(FileError) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for case .database(_, let target) in steps {
            stamps[target] = try FileStamp(location.directory.appending(target), fileSystem)
        }
        return stamps
    }

    private func stagedDatabases() -> [FilePath] {
        steps.compactMap {
            if case .database(let staged, _) = $0 { location.directory.appending(staged) } else { nil }
        }
    }

    private func synchronizeStaging(_ folder: FilePath) throws {
        for entry in try fileSystem.list(folder) where entry.kind == .directory {
            if let name = entry.name { try synchronizeStaging(folder.appending(name)) }
        }
        try fileSystem.synchronizeDirectory(folder)
    }

    /// An administrator may work on the account of somebody, who has to be able to open it afterwards.
    private func giveOwners() throws {
        for case .database(let staged, let target) in steps {
            let (staged, target) = (
                location.directory.appending(staged), location.directory.appending(target)
            )
            guard let previous = try fileSystem.attributes(of: target) else { continue }
            let file = try fileSystem.openForUpdating(staged)
            let made = try file.attributes()
            guard (made.owner, made.group) != (previous.owner, previous.group) else { continue }
            do {
                try file.setOwner(previous.owner, group: previous.group)
                try file.synchronize()
            } catch {
                throw AccountError(
                    error.code,
                    "cannot give the new database the owner and group of this one. Nothing was changed.",
                    target, cause: error)
            }
        }
    }
}
