import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// The parts of an account in a folder. It is locked, and not changed.
///
/// A database that a crashed program left with a journal is read from a private copy with the journal folded in; an account
/// that is in use, from private copies of both databases.
final class FolderStorage: AccountStorage {
    let holder: String?
    private let location: AccountLocation
    private let fileSystem: FileSystem
    /// Against changes; nil while an account in use is read from copies.
    private let lock: AccountLock?
    private let snapshot: UsedAccountSnapshot?
    private let copies: PrivateCopies
    /// Why no database can be read; nil where they can.
    private let obstacle: Mutex<(any Error)?>
    private let opened = Mutex<[AccountDatabase: Opened]>([:])

    /// A database that was opened.
    private struct Opened {
        let source: any ByteSource
        let isFolded: Bool
    }

    init(
        _ location: AccountLocation, use: AccountReader.Use, privateFolder: FilePath?, fileSystem: FileSystem
    ) throws {
        self.location = location
        self.fileSystem = fileSystem
        obstacle = Mutex(nil)
        copies = PrivateCopies(location, in: privateFolder, fileSystem)
        do {
            lock = try AccountLock(location, .shared, fileSystem: fileSystem)
            (holder, snapshot) = (nil, nil)
        } catch let error as AccountError where error.code == .inUse && use == .allowed {
            snapshot = try UsedAccountSnapshot(location, copies, fileSystem)
            (holder, lock) = (error.holder ?? "another process", nil)
        }
        if let pending = try AccountRecovery.pending(location, fileSystem: fileSystem),
            pending.state == .after
        {
            throw AccountError(
                .failed, pending.pendingSentence, location.directory,
                remedy: .recoverAccount(Remedy.Account(location)))
        }
    }

    /// See ``AccountReader/init(asItIs:fileSystem:)`` and ``AccountReader/init(lockedAsItIs:fileSystem:)``.
    init(asItIs location: AccountLocation, _ held: Held, fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        obstacle = Mutex(nil)
        copies = PrivateCopies(location, in: nil, fileSystem)
        (holder, lock, snapshot) = (held.holder, held.lock, nil)
    }

    /// See ``AccountReader/init(lookingAt:copiesUpTo:fileSystem:)``.
    init(lookingAt location: AccountLocation, copiesUpTo largest: Int64, fileSystem: FileSystem) throws {
        let held = try Held(location, fileSystem)
        let copies = PrivateCopies(location, in: nil, fileSystem)
        var snapshot: UsedAccountSnapshot?
        var obstacle: (any Error)?
        if held.holder != nil {
            let terms = UsedAccountSnapshot.Terms(
                takesRetired: true, takesChanging: true, patience: .seconds(2), largestCopy: largest)
            do {
                snapshot = try UsedAccountSnapshot(location, copies, fileSystem, terms: terms)
            } catch let error as AccountError where error.code == .inUse {
                obstacle = error
            } catch let error as FileError where [.denied, .noSpace].contains(error.code) {
                obstacle = error
            }
        }
        self.location = location
        self.fileSystem = fileSystem
        self.copies = copies
        (holder, lock) = (held.holder, held.lock)
        self.snapshot = snapshot
        self.obstacle = Mutex(obstacle)
    }

    /// The lock of whoever looks at an account in whatever state it is, retired too; or who uses it.
    struct Held {
        let holder: String?
        let lock: AccountLock?

        static var nothing: Held { Held(holder: nil, lock: nil) }

        private init(holder: String?, lock: AccountLock?) {
            self.holder = holder
            self.lock = lock
        }

        init(_ location: AccountLocation, _ fileSystem: FileSystem) throws {
            do {
                lock = try AccountLock(location, .shared, takesRetired: true, fileSystem: fileSystem)
                holder = nil
            } catch let error as AccountError where error.code == .inUse {
                (holder, lock) = (error.holder ?? error.message, nil)
            }
        }
    }

    // MARK: Holding

    var blocksPrograms: Bool { snapshot?.holdsDatabases ?? false }

    func releaseDatabases() {
        obstacle.withLock {
            $0 = AccountError(.failed, "the databases are no longer open", location.directory)
        }
        opened.withLock { $0 = [:] }
        copies.remove()
        lock?.releaseDatabases()
        snapshot?.releaseDatabases()
    }

    /// - Throws: why no database can be read.
    private func checkObstacle() throws {
        if let error = obstacle.withLock({ $0 }) { throw error }
    }

    var kind: AccountStorageKind { .folder }
    var path: FilePath { location.directory }

    var media: any MediaStore & Sendable {
        get throws { try MediaFolder(location, fileSystem: fileSystem) }
    }

    // MARK: Databases

    func stored(_ database: AccountDatabase) throws -> StoredDatabase? {
        let file = try file(of: database)
        let path = location.path(of: database)
        guard let found = try fileSystem.attributes(of: path), file.form != .missing else { return nil }
        return StoredDatabase(
            database: database, path: path, form: file.form, size: file.size,
            modificationTime: found.modificationTime, needsFolding: needsFolding(file, database),
            hasJournalAlone: file.journalSize != nil && file.walSize == nil)
    }

    func missing(_ database: AccountDatabase) -> any Error {
        AccountError(
            .notFound, "the \(database.rawValue) database is missing", location.path(of: database))
    }

    func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? { try file(of: database) }

    func ownFile(of database: AccountDatabase) throws -> DatabaseFile? {
        try DatabaseFile(location.path(of: database), fileSystem: fileSystem)
    }

    func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] {
        let path = location.path(of: database)
        let names = try DatabaseFile(path, fileSystem: fileSystem).copies
        return try names.map {
            try DatabaseFile(path.removingLastComponent().appending($0), fileSystem: fileSystem)
        }
    }

    /// What is read: the database's own file, or the copy of it.
    private func file(of database: AccountDatabase) throws -> DatabaseFile {
        try DatabaseFile(
            snapshot?.path(of: database) ?? location.path(of: database), fileSystem: fileSystem)
    }

    /// A journal beside a database that is read where it is belongs to a program that is about to write: not to what is
    /// read.
    private func needsFolding(_ file: DatabaseFile, _ database: AccountDatabase) -> Bool {
        file.needsFolding && snapshot?.isReadInPlace(database) != true
    }

    func unfolded(_ database: AccountDatabase) throws -> any ByteSource {
        try checkObstacle()
        return try opened.withLock { opened in
            if let known = opened[database] { return known.source }
            let file = try file(of: database)
            guard file.form != .missing else { throw missing(database) }
            let source = try open(file.path, database)
            opened[database] = Opened(source: source, isFolded: false)
            return source
        }
    }

    private func open(_ path: FilePath, _ database: AccountDatabase) throws -> FileSource {
        try FileSource(
            try fileSystem.openForReading(path), as: location.path(of: database))
    }

    func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource {
        try checkObstacle()
        let file = try file(of: database)
        guard needsFolding(file, database) || alwaysFolds else { return try unfolded(database) }
        if let known = opened.withLock({ $0[database] }), known.isFolded { return known.source }
        guard file.form != .missing else { throw missing(database) }
        let copy = try copies.path(of: database)
        if copy != file.path {
            var done: Int64 = 0
            try copies.copy(file.path, of: database) { count in
                done += count
                try progress(
                    OperationProgress(
                        "copying the \(database.rawValue) database to apply its journal", completed: done,
                        total: file.size))
            }
            for suffix in ["-journal", "-wal"] where try fileSystem.exists(file.path.appendingSuffix(suffix))
            {
                try copies.copy(file.path, of: database, suffix: suffix)
            }
        }
        try DatabaseCopy.foldIn(copy, of: file, passphrase: passphrase, fileSystem: fileSystem)
        let source = try open(copy, database)
        opened.withLock { $0[database] = Opened(source: source, isFolded: true) }
        return source
    }

    // MARK: Entries

    func entries() throws -> (entries: [AccountEntry], leftOut: [String]) {
        var list = FolderEntries(fileSystem)
        for database in AccountDatabase.allCases {
            guard let stored = try stored(database) else { continue }
            let size = opened.withLock { $0[database]?.source.size }
            list.entries.append(
                AccountEntry(
                    database.archiveName, size: size ?? stored.size,
                    modified: UTCTime(seconds: stored.modificationTime)))
        }
        try list.add(location.filesFolder, as: ArchiveLayout.files)
        try list.add(location.wallpapersFolder, as: ArchiveLayout.wallpapers)
        return (list.entries, list.leftOut)
    }

    func source(of entry: AccountEntry) throws -> any ByteSource {
        switch ArchiveLayout.role(of: entry.name) {
        case .database(let database):
            if let known = opened.withLock({ $0[database] }) { return known.source }
            return try unfolded(database)
        case .file(let name):
            return try FileSource(location.filesFolder.appending(name), fileSystem: fileSystem)
        case .wallpaper(let name):
            return try FileSource(location.wallpapersFolder.appending(name), fileSystem: fileSystem)
        case .other:
            return try FileSource(location.directory.appending(entry.name), fileSystem: fileSystem)
        }
    }

    /// A file has no checksum.
    func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] { [] }
}

/// Collects the files of an account under the names that an archive would give them.
private struct FolderEntries {
    private let fileSystem: FileSystem
    var entries: [AccountEntry] = []
    private(set) var leftOut: [String] = []

    init(_ fileSystem: FileSystem) { self.fileSystem = fileSystem }

    /// The regular files that lie directly in the folder, as archives have them. No official program makes folders there; one
    /// that somebody made is left out with all that is in it.
    mutating func add(_ folder: FilePath, as target: String) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        for entry in try fileSystem.list(folder) {
            guard entry.kind == .regular, let name = entry.name,
                let component = FilePath.Component(bytes: entry.nameBytes)
            else {
                let name = String(decoding: entry.nameBytes, as: UTF8.self)
                leftOut.append("\(target)/\(name)\(entry.kind == .directory ? "/" : "")")
                continue
            }
            guard let found = try fileSystem.attributes(of: folder.appending(component)) else { continue }
            entries.append(AccountEntry("\(target)/\(name)", found))
        }
    }
}
