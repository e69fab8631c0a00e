import SystemPackage
package import ValiseAccounts
import ValiseFailures
package import ValiseFiles

/// Takes an account out of use that lives on another machine now, so that no program starts it by accident; brings it
/// back; removes it.
///
/// The `RetiredMark` is the decision. With it the account is retired for every operation of Valise, wherever a run
/// was interrupted, and the next run completes the rest.
package struct AccountRetirement: Sendable {
    package let location: AccountLocation
    private let fileSystem: FileSystem

    /// The agent's first: without it no connection can be broken any more.
    private static let order: [AccountDatabase] = [.agent, .chat]

    package init(_ location: AccountLocation, fileSystem: FileSystem = FileSystem()) {
        self.location = location
        self.fileSystem = fileSystem
    }

    // MARK: Away

    /// Marks the account and gives its databases names that no program looks for. Media stay where they are.
    ///
    /// An account that is retired already keeps its mark; what is left to do is done.
    ///
    /// - Throws: `AccountError`: `inUse`; `unsupported` with a `ReadOnlyMark`; ``DeviceMigrationError``: `failed`
    ///   where a program left a journal, which has to be folded first; `nameTaken`; `FileError`. Without the mark, nothing
    ///   was changed then.
    package func retire(_ mark: RetiredMark) throws {
        guard try !RetiredMark.isThere(location, fileSystem: fileSystem) else {
            try complete()
            return
        }
        let account = try AccountWriter(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(account) {} }
        for (database, file) in try account.databaseFiles() {
            guard file.journalSize == nil, file.walSize == nil else {
                throw DeviceMigrationError(
                    .failed,
                    "the \(database.rawValue) database has a journal: the account was used after it was "
                        + "sent. Nothing was changed.",
                    subject: file.path.string, remedy: .sendChangedAccount(Remedy.Account(location)))
            }
            let retired = location.retiredPath(of: database)
            guard try !fileSystem.exists(retired) else { throw taken(retired) }
        }
        try mark.write(location, fileSystem: fileSystem)
        try putAside()
    }

    /// Completes what a killed run of ``retire(_:)`` left; also what a killed ``undo()`` began, back to retired.
    ///
    /// - Returns: whether there was anything to do.
    /// - Throws: `AccountError`: `inUse`; `FileError`.
    @discardableResult
    package func complete() throws -> Bool {
        guard try RetiredMark.isThere(location, fileSystem: fileSystem) else { return false }
        let lock = try AccountWriter.lockRetired(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(lock) {} }
        return try putAside()
    }

    /// - Returns: whether there was anything to do.
    @discardableResult
    private func putAside() throws -> Bool {
        var isWorkDone = false
        for database in Self.order {
            let (path, retired) = (location.path(of: database), location.retiredPath(of: database))
            // A database beside the retired one is of a program that was started since, and stays.
            guard try !fileSystem.exists(retired) || !fileSystem.exists(path) else { continue }
            if try move(path, to: retired) { isWorkDone = true }
        }
        return isWorkDone
    }

    /// Renames a database, then what is beside it, which is empty.
    private func move(_ path: FilePath, to target: FilePath) throws -> Bool {
        var isWorkDone = false
        for suffix in [""] + DatabaseFile.sideSuffixes {
            let (from, to) = (path.appendingSuffix(suffix), target.appendingSuffix(suffix))
            guard try fileSystem.exists(from), try !fileSystem.exists(to) else { continue }
            try fileSystem.renameExclusively(from, to: to)
            isWorkDone = true
        }
        // Also where a killed run had renamed everything, and nothing was flushed.
        try fileSystem.synchronizeDirectory(location.directory)
        return isWorkDone
    }

    // MARK: Back

    /// Brings the account back as it was. Whoever uses it while the other one is used breaks connections of both.
    ///
    /// A run that is killed leaves a retired account, or the whole one; the next run of this completes it.
    ///
    /// - Parameter agree: called once nothing refuses it, before anything is changed; throws to stop it.
    /// - Throws: ``DeviceMigrationError``: `notRetired`; `damaged` where a database is missing; `nameTaken` where a program has
    ///   made a database of the name meanwhile, nothing was changed then; `AccountError`: `inUse`; `FileError`.
    package func undo(agree: () throws -> Void = {}) throws {
        try requireMark()
        let lock = try AccountWriter.lockRetired(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(lock) {} }
        for database in Self.order {
            let (path, retired) = (location.path(of: database), location.retiredPath(of: database))
            switch (try fileSystem.exists(path), try fileSystem.exists(retired)) {
            case (true, true): throw taken(path)
            case (false, false):
                throw DeviceMigrationError(
                    .damaged,
                    "cannot restore the account: its retired \(database.rawValue) database is missing. "
                        + "Nothing was changed.", subject: retired.string)
            default: break
            }
        }
        try agree()
        for database in Self.order.reversed() {
            _ = try move(location.retiredPath(of: database), to: location.path(of: database))
        }
        try removeMark()
    }

    private func taken(_ path: FilePath) -> DeviceMigrationError {
        DeviceMigrationError(
            .nameTaken,
            "a file with this name already exists. Nothing was changed.",
            subject: path.string, remedy: .moveAway(path))
    }

    private func requireMark() throws {
        guard try !RetiredMark.isThere(location, fileSystem: fileSystem) else { return }
        throw DeviceMigrationError(
            .notRetired, "no retired account here. Nothing was changed.",
            subject: location.directory.string)
    }

    private func removeMark() throws(FileError) {
        try fileSystem.remove(location.retiredMarkPath)
        try fileSystem.synchronizeDirectory(location.directory)
    }

    // MARK: Gone

    /// Removes the databases and media of a retired account, with the copies that the official programs and migrations
    /// left, and then its mark.
    ///
    /// Where a program has made databases here since, media stay: they may be of its account.
    ///
    /// - Parameter agree: called with the account locked, before anything is changed; throws to stop it.
    /// - Returns: whether the media went too.
    /// - Throws: ``DeviceMigrationError``: `notRetired`; `AccountError`: `inUse`; `FileError`: what is left is still
    ///   retired, and the next run goes on.
    package func remove(agree: () throws -> Void = {}) throws -> Bool {
        try requireMark()
        let lock = try AccountWriter.lockRetired(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(lock) {} }
        try agree()
        try putAside()
        let isReused = try AccountDatabase.allCases.contains { try fileSystem.exists(location.path(of: $0)) }
        for database in Self.order {
            try removeIfThere(location.retiredPath(of: database))
            for suffix in DatabaseFile.sideSuffixes {
                try removeIfThere(location.retiredPath(of: database).appendingSuffix(suffix))
            }
            guard !isReused else { continue }
            for suffix in Self.copies {
                try removeIfThere(location.path(of: database).appendingSuffix(suffix))
            }
        }
        if !isReused {
            // Previous databases, from before a migration.
            try fileSystem.removeTree(location.workFolder)
            for folder in [location.filesFolder, location.wallpapersFolder] { try removeFolder(folder) }
        }
        try fileSystem.synchronizeDirectory(location.directory)
        try removeMark()
        return !isReused
    }

    /// What the official programs append to the names of copies.
    private static let copies = [".bak", ".exported"]

    private func removeIfThere(_ path: FilePath) throws {
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
    }

    /// Where the folder is a link to one on another disk, that one stays, without the files in it.
    private func removeFolder(_ folder: FilePath) throws {
        if try fileSystem.isDirectory(folder), try fileSystem.attributes(of: folder)?.kind == .symbolicLink {
            for entry in try fileSystem.list(folder) where entry.kind == .regular {
                guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
                try fileSystem.remove(folder.appending(name))
            }
        }
        try fileSystem.removeTree(folder)
        let parent = folder.parentFolder
        // `simplex_v1_assets`, where nothing else is in it.
        if parent != location.directory, try fileSystem.isDirectory(parent),
            try fileSystem.list(parent).isEmpty
        {
            try fileSystem.removeDirectory(parent)
        }
    }
}
