public import SystemPackage
public import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
public import ValiseFiles
public import ValiseSecrets

/// An account under its exclusive lock, after whatever an interrupted run left was completed or removed.
public struct OpenedAccount {
    public let location: AccountLocation
    public let lock: AccountLock
    /// What an earlier run had left; nil for nothing.
    public let recovery: AccountRecovery?
    private let fileSystem: FileSystem

    /// Locks and recovers.
    ///
    /// - Parameter toChange: false where nothing but the recovery is wanted, which an archive to be read gets too.
    /// - Throws: ``AccountError``: `inUse`, `damaged`; `unsupported` with a ``ReadOnlyMark`` or a ``RetiredMark``;
    ///   ``FileError``.
    public init(_ location: AccountLocation, toChange: Bool = true, fileSystem: FileSystem) throws {
        self.location = location
        self.fileSystem = fileSystem
        // Before the lock, which wants to write; but what an interrupted act left may change the answer.
        if toChange, try AccountRecovery.pending(location, fileSystem: fileSystem) == nil {
            try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        }
        lock = try AccountLock(location, .exclusive, fileSystem: fileSystem)
        recovery = try AccountRecovery.run(location, lock: lock, fileSystem: fileSystem)
        // Recovery may have put other files in place: they are locked as well.
        if recovery != nil { try lock.relock(location, fileSystem: fileSystem) }
        if toChange { try ReadOnlyMark.refuse(location, fileSystem: fileSystem) }
    }

    /// The files of both databases.
    /// - Throws: ``AccountError`` with `notFound` when one is missing; ``FileError``.
    public func databaseFiles() throws -> [AccountDatabase: DatabaseFile] {
        var files: [AccountDatabase: DatabaseFile] = [:]
        for database in AccountDatabase.allCases {
            files[database] = try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
        }
        return files
    }

    /// Folds journals and logs that a crashed program left into the databases, as one act of its own.
    ///
    /// - Parameters:
    ///   - hiddenLogs: encrypted databases known to ask for a write-ahead log, which only their
    ///     decrypted header says; nil to look, which derives the keys.
    ///   - proof: gets each folded copy and the file that it shall replace, before anything is replaced; throw
    ///     to stop.
    /// - Returns: whether there was something to fold.
    /// - Throws: ``AccountError``; ``DatabaseError``; ``FileError``; whatever `progress` and `proof` throw.
    @discardableResult
    public func fold(
        passphrase: borrowing SecretBytes, hiddenLogs: Set<AccountDatabase>? = nil,
        progress: ProgressHandler, proof: (FilePath, FilePath) throws -> Void = { _, _ in }
    ) throws -> Bool {
        let files = try databaseFiles()
        let hidden = try hiddenLogs ?? self.hiddenLogs(files, passphrase)
        let due = AccountDatabase.allCases.filter {
            hidden.contains($0) || files[$0].map(\.needsFolding) ?? false
        }
        guard !due.isEmpty else { return false }
        let change = try AccountChange(
            location, act: "journal recovery", lock: lock, fileSystem: fileSystem)
        for database in due {
            guard let file = files[database] else { continue }
            try progress(OperationProgress("folding the journal of the \(database.rawValue) database"))
            let staged = change.stagedPath(of: database)
            var copied: Int64 = 0
            try DatabaseCopy.make(
                of: file, at: staged, passphrase: try passphrase.duplicate(), foldsAlways: true,
                fileSystem: fileSystem
            ) { count in
                copied += count
                try progress(
                    OperationProgress(
                        "copying the \(database.rawValue) database to fold its journal in", completed: copied,
                        total: file.size))
            }
            try proof(staged, file.path)
            change.replaces(database)
        }
        // It locks what it puts in place.
        try change.commit()
        return true
    }

    /// A database that asks for a log cannot be read without SQLite's own locks, which ours keep out.
    private func hiddenLogs(
        _ files: [AccountDatabase: DatabaseFile], _ passphrase: borrowing SecretBytes
    ) throws -> Set<AccountDatabase> {
        var hidden: Set<AccountDatabase> = []
        for database in AccountDatabase.allCases {
            guard let file = files[database], file.form == .encrypted, !file.needsFolding else { continue }
            do {
                _ = try Connection(file.path, mode: .readOnlyUnderLock, passphrase: passphrase)
            } catch {
                guard error.asksForLog else { throw error }
                hidden.insert(database)
            }
        }
        return hidden
    }
}
