public import SystemPackage
public import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
public import ValiseFiles
public import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The databases of an account as of their last committed transactions, for reading.
///
/// A database that a crashed program left with a journal is read from a private copy beside it, with the
/// journal folded in; the copy goes with this object. The account itself is locked, and not changed.
public final class AccountReading {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let lock: AccountLock
    private var copies: [AccountDatabase: FilePath] = [:]

    /// - Throws: ``AccountError``: `inUse`; `unsupported` with a ``RetiredMark``; `failed` where an interrupted act waits to be
    ///   completed, because the two databases may be of different states then; ``FileError``.
    public init(_ location: AccountLocation, fileSystem: FileSystem) throws {
        self.location = location
        self.fileSystem = fileSystem
        lock = try AccountLock(location, .shared, fileSystem: fileSystem)
        if let pending = try AccountRecovery.pending(location, fileSystem: fileSystem),
            pending.state == .after
        {
            throw AccountError(
                .failed, pending.pendingSentence, location.directory,
                remedy: .recoverAccount(Remedy.Account(location)))
        }
    }

    deinit {
        try? fileSystem.removeTree(folder)
    }

    private static let mark = ".valise-reading-"

    /// Of this process alone; with its number, so that a later run knows whether it is still in use.
    private var folder: FilePath {
        location.directory.appending(".\(location.prefix)\(Self.mark)\(ProcessIdentity.current)")
    }

    /// What a database's file looks like.
    /// - Throws: ``AccountError`` with `notFound` when it is missing; ``FileError``.
    public func file(of database: AccountDatabase) throws -> DatabaseFile {
        try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
    }

    /// Where a database is to be read: its own file, or a copy where something has to be folded in.
    ///
    /// - Parameter passphrase: empty for a plain database.
    /// - Throws: ``DatabaseError``; ``AccountError``; ``FileError``; whatever `progress` throws.
    public func path(
        of database: AccountDatabase, passphrase: borrowing SecretBytes,
        progress: ProgressHandler = { _ in }
    ) throws -> FilePath {
        if let copy = copies[database] { return copy }
        let file = try file(of: database)
        guard file.needsFolding else { return file.path }
        let copy = try privateFolder().appending(location.prefix + database.suffix)
        var done: Int64 = 0
        try DatabaseCopy.make(
            of: file, at: copy, passphrase: try passphrase.duplicate(), fileSystem: fileSystem
        ) { count in
            done += count
            try progress(
                OperationProgress(
                    "copying the \(database.rawValue) database to fold its journal in", completed: done,
                    total: file.size))
        }
        copies[database] = copy
        return copy
    }

    /// A folder beside the account for private copies of its databases, which goes with this object.
    /// - Throws: ``FileError``.
    package func privateFolder() throws -> FilePath {
        try removeStaleCopies()
        if !(try fileSystem.exists(folder)) { try fileSystem.makeDirectory(folder) }
        return folder
    }

    /// What processes left that did not end well.
    private func removeStaleCopies() throws {
        for entry in try fileSystem.list(location.directory) where entry.kind == .directory {
            let lead = ".\(location.prefix)\(Self.mark)"
            guard let name = entry.name, name.hasPrefix(lead),
                let process = Int32(name.dropFirst(lead.count)),
                process != ProcessIdentity.current, kill(process, 0) != 0
            else { continue }
            try fileSystem.removeTree(location.directory.appending(name))
        }
    }
}
