package import SystemPackage
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Changes an account: the only way to lock one for itself, to complete or remove what an interrupted run left, and to put
/// other databases and files in the place of its own (decision 44). The lock lasts as long as the writer and its changes.
package struct AccountWriter {
    package let location: AccountLocation
    let lock: AccountLock
    /// What an earlier run had left; nil for nothing.
    package let recovery: AccountRecovery?
    private let fileSystem: FileSystem

    /// Locks and recovers.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - toChange: false where nothing but the recovery is wanted, which an archive to be read gets too.
    ///   - fileSystem: where files are read and written.
    /// - Throws: ``AccountError``: `inUse`, `damaged`; `unsupported` with a ``ReadOnlyMark`` or a ``RetiredMark``;
    ///   `FileError`.
    package init(_ location: AccountLocation, toChange: Bool = true, fileSystem: FileSystem) throws {
        self.location = location
        self.fileSystem = fileSystem
        // Before the lock, which wants to write; but what an interrupted operation left may change the answer.
        if toChange, try AccountRecovery.pending(location, fileSystem: fileSystem) == nil {
            try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        }
        lock = try AccountLock(location, .exclusive, fileSystem: fileSystem)
        recovery = try AccountRecovery.run(location, lock: lock, fileSystem: fileSystem)
        // Recovery may have put other files in place: they are locked as well.
        if recovery != nil { try lock.relock(location, fileSystem: fileSystem) }
        if toChange { try ReadOnlyMark.refuse(location, fileSystem: fileSystem) }
    }

    /// Completes or removes what an interrupted run left, where it left anything.
    /// - Returns: what was done; nil for nothing.
    /// - Throws: as ``init(_:toChange:fileSystem:)``.
    @discardableResult
    package static func complete(
        _ location: AccountLocation, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountRecovery? {
        if try AccountRecovery.pending(location, fileSystem: fileSystem) == nil {
            // An empty folder is all that a run leaves that is killed at its very end. One that another run has just made is
            // locked with its account.
            guard try WorkFolder(location, fileSystem).isEmpty() else { return nil }
            return try? AccountWriter(location, toChange: false, fileSystem: fileSystem).recovery
        }
        return try AccountWriter(location, toChange: false, fileSystem: fileSystem).recovery
    }

    /// Keeps changes out while one is planned. What an interrupted run left stays as it is.
    /// - Throws: ``AccountError``: `inUse`; `unsupported` with a ``RetiredMark``; `FileError`.
    package static func lockForPlan(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws -> AccountLock {
        try AccountLock(location, .shared, fileSystem: fileSystem)
    }

    /// Locks what is left of an account that was moved away.
    /// - Throws: ``AccountError`` with `inUse`; `FileError`.
    package static func lockRetired(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws -> AccountLock {
        try AccountLock(location, .exclusive, takesRetired: true, fileSystem: fileSystem)
    }

    /// Begins a change of several parts that takes effect as a whole.
    /// - Parameter operation: a word for messages, such as `import`.
    /// - Throws: `FileError`; ``AccountError``.
    package func change(_ operation: String) throws -> AccountChange {
        try AccountChange(location, operation: operation, lock: lock, fileSystem: fileSystem)
    }

    /// The files of both databases.
    /// - Throws: ``AccountError`` with `notFound` when one is missing; `FileError`.
    package func databaseFiles() throws -> [AccountDatabase: DatabaseFile] {
        try Self.databaseFiles(of: location, fileSystem: fileSystem)
    }

    /// The same without a lock, for a first look.
    /// - Throws: as ``databaseFiles()``.
    package static func databaseFiles(
        of location: AccountLocation, fileSystem: FileSystem
    ) throws -> [AccountDatabase: DatabaseFile] {
        var files: [AccountDatabase: DatabaseFile] = [:]
        for database in AccountDatabase.allCases {
            files[database] = try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
        }
        return files
    }

    /// Folds journals and logs that a crashed program left into the databases, atomically of its own.
    ///
    /// - Parameters:
    ///   - passphrase: of the account; empty for none.
    ///   - hiddenLogs: encrypted databases known to ask for a write-ahead log, which only their
    ///     decrypted header says; nil to look, which derives the keys.
    ///   - progress: sees how far it is; throw to stop.
    ///   - proof: gets each folded copy and the file that it shall replace, before anything is replaced; throw
    ///     to stop.
    /// - Returns: whether there was something to fold.
    /// - Throws: ``AccountError``; `DatabaseError`; `FileError`; whatever `progress` and `proof` throw.
    @discardableResult
    package func fold(
        passphrase: borrowing SecretBytes, hiddenLogs: Set<AccountDatabase>? = nil,
        progress: ProgressHandler, proof: (FilePath, FilePath) throws -> Void = { _, _ in }
    ) throws -> Bool {
        let files = try databaseFiles()
        let hidden = try hiddenLogs ?? self.hiddenLogs(files, passphrase)
        let due = AccountDatabase.allCases.filter {
            hidden.contains($0) || files[$0].map(\.needsFolding) ?? false
        }
        guard !due.isEmpty else { return false }
        let change = try change("journal recovery")
        for database in due {
            guard let file = files[database] else { continue }
            try progress(OperationProgress("applying the journal of the \(database.rawValue) database"))
            let staged = change.stagedPath(of: database)
            var copied: Int64 = 0
            try DatabaseCopy.make(
                of: file, at: staged, passphrase: try passphrase.duplicate(), foldsAlways: true,
                fileSystem: fileSystem
            ) { count in
                copied += count
                try progress(
                    OperationProgress(
                        "copying the \(database.rawValue) database to apply its journal", completed: copied,
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
        try AccountReader(asItIs: location, fileSystem: fileSystem).deriveKeys(passphrase.duplicate())
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
