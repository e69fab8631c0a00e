import Database
import Failures
public import Files
public import Secrets
import SystemPackage

/// An account under its exclusive lock, after whatever an interrupted run left was completed or removed.
public struct OpenedAccount {
    public let location: AccountLocation
    public let lock: AccountLock
    /// What an earlier run had left; nil for nothing.
    public let recovery: AccountRecovery?
    private let fileSystem: FileSystem

    /// Locks and recovers.
    /// - Throws: ``AccountError``: `inUse`, `damaged`; ``FileError``.
    public init(_ location: AccountLocation, fileSystem: FileSystem) throws {
        self.location = location
        self.fileSystem = fileSystem
        lock = try AccountLock(location, .exclusive, fileSystem: fileSystem)
        recovery = try AccountRecovery.run(location, lock: lock, fileSystem: fileSystem)
        // Recovery may have put other files in place: they are locked as well.
        if recovery != nil { try lock.relock(location, fileSystem: fileSystem) }
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
    /// - Returns: whether there was something to fold.
    /// - Throws: ``AccountError``; ``DatabaseError``; ``FileError``.
    public func fold(passphrase: borrowing SecretBytes, progress: ProgressHandler) throws -> Bool {
        let files = try databaseFiles()
        guard files.values.contains(where: \.needsFolding) else { return false }
        let change = try AccountChange(
            location, act: "journal recovery", lock: lock, fileSystem: fileSystem)
        for database in AccountDatabase.allCases {
            guard let file = files[database], file.needsFolding else { continue }
            try progress(WorkProgress("folding the journal of the \(database.rawValue) database"))
            let staged = change.stagedPath(of: database)
            try DatabaseCopy.make(
                of: file, at: staged, passphrase: try passphrase.duplicate(), fileSystem: fileSystem)
            change.replaces(database)
        }
        try change.commit()
        try lock.relock(location, fileSystem: fileSystem)
        return true
    }
}
