import SystemPackage
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// One consistent state of a database that a program may be writing to, with its write-ahead log, in a private copy.
///
/// Where the index of the log is there, a program may have the database open. Then SQLite itself holds a transaction of a reader
/// while files are copied: what was committed before is not taken away, and no page changes that a reader could ask for. What is
/// committed meanwhile is in the log behind it, complete or not at all. Without an index nobody has it open: the files are copied,
/// and must be the same afterwards. The log is merged in the copy; the originals are never opened for writing.
struct DatabaseSnapshot {
    let path: FilePath
    /// Nil where it is not known: then the files are copied only where nobody uses them.
    let key: SessionDatabaseKey?
    let fileSystem: FileSystem

    /// What may hold a part of the content.
    static let sides = [log, journal]
    static let log = "-wal"
    static let journal = "-journal"
    static let index = "-shm"
    /// In bytes, beside the copies.
    static let reserve: Int64 = 64 << 20
    private static let attempts = 50

    /// Makes the copy, as a database without a log.
    ///
    /// - Parameters:
    ///   - parent: where the copy goes.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``SessionStoreError``: `inUse` where a program does not stop changing it; `FileError`: `noSpace`;
    ///   whatever `progress` throws.
    func take(in parent: FilePath, progress: (Int64) throws -> Void) throws -> PrivateCopy {
        let copy = try takeFiles(in: parent, progress: progress)
        try merge(copy)
        return copy
    }

    /// Makes the copy byte for byte, with the log or the journal beside it.
    ///
    /// - Parameters:
    ///   - parent: where the copy goes.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: as ``take(in:progress:)``; ``SessionStoreError`` with `noKey` where a program may be using the database, and the
    ///   key is not known, without which nobody can take part in SQLite's locks.
    func takeFiles(in parent: FilePath, progress: (Int64) throws -> Void) throws -> PrivateCopy {
        try checkSpace(parent)
        let copy = try PrivateCopy(in: parent, fileSystem)
        try copyFiles(to: copy.files, progress)
        return copy
    }

    /// Copies the database with its log, byte for byte. Nothing is merged, and the copies are durable but for their names.
    ///
    /// - Parameters:
    ///   - path: of the copy, in a folder that is there.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: as ``take(in:progress:)``.
    func keep(at path: FilePath, progress: (Int64) throws -> Void) throws {
        try copyFiles(to: CopiedDatabase(path: path, fileSystem: fileSystem, isKept: true), progress)
        // A log without a frame says nothing.
        for side in Self.sides.map(path.appendingSuffix) where try fileSystem.attributes(of: side)?.size == 0
        {
            try fileSystem.remove(side)
        }
    }

    private func copyFiles(to copy: CopiedDatabase, _ progress: (Int64) throws -> Void) throws {
        for _ in 0..<Self.attempts {
            if try copyOnce(to: copy, progress) { return }
            try copy.clear()
            FileSystem.wait(.milliseconds(.random(in: 20...60)))
        }
        throw SessionStoreError(
            .inUse, "a program keeps changing the database. Nothing was changed.", path.string,
            remedy: .closeProgram)
    }

    private func checkSpace(_ parent: FilePath) throws {
        var needed = Self.reserve
        for suffix in [""] + Self.sides {
            // The log is merged into the copy.
            let size = try fileSystem.attributes(of: path.appendingSuffix(suffix))?.size ?? 0
            needed += suffix.isEmpty ? size : 2 * size
        }
        let free = try fileSystem.freeSpace(at: parent)
        guard free < needed else { return }
        throw FileError(
            .noSpace,
            "a private copy of the database needs \(Count.bytes(needed)), but only \(Count.bytes(free)) are free",
            path, remedy: .freeSpace(needed - free, in: parent))
    }

    /// - Returns: false where a program did what makes the copy useless.
    private func copyOnce(to copy: CopiedDatabase, _ progress: (Int64) throws -> Void) throws -> Bool {
        let (index, log) = (path.appendingSuffix(Self.index), path.appendingSuffix(Self.log))
        guard try fileSystem.exists(index), try fileSystem.exists(log) else {
            return try copyUnused(to: copy, progress)
        }
        // They stay open until the transaction has ended: to close one file ends all locks of this process on it.
        let database = try fileSystem.openForReading(path)
        let writeAhead = try fileSystem.openForReading(log)
        guard let isComplete = try copyHeld(to: copy, database, writeAhead, progress) else {
            try copy.clear()
            return try copyUnused(to: copy, progress)
        }
        return isComplete
    }

    // MARK: A program may be using it

    /// - Returns: nil where SQLite cannot take part in the locks, as on a medium that is only read.
    private func copyHeld(
        to copy: CopiedDatabase, _ database: borrowing OpenFile, _ log: borrowing OpenFile,
        _ progress: (Int64) throws -> Void
    ) throws -> Bool? {
        guard let key else { throw noKey() }
        let reader: Connection
        do throws(DatabaseError) {
            reader = try openReader(key)
        } catch {
            switch error.code {
            case .inUse: return false
            case .wrongPassphrase, .damaged: throw SessionStoreError(database: error)
            default: return nil
            }
        }
        try copy.take(database, progress: progress)
        return try copyLog(log, to: copy, while: reader, progress)
    }

    /// A connection in a transaction that has begun to read.
    private func openReader(_ key: SessionDatabaseKey) throws(DatabaseError) -> Connection {
        try key.checkFirstPages(of: path, fileSystem)
        let reader = try Connection(
            path, mode: .readOnly, passphrase: key.passphrase.bytes, cipher: key.settings)
        try reader.execute("BEGIN")
        try reader.readFirstPage()
        return reader
    }

    /// A log whose content is all in the database can begin anew once while this goes on: pages of both would be mixed.
    private func copyLog(
        _ log: borrowing OpenFile, to copy: CopiedDatabase, while reader: borrowing Connection,
        _ progress: (Int64) throws -> Void
    ) throws -> Bool {
        let before = try log.bytes(at: 0, count: Self.logHeaderSize)
        try copy.take(log, suffix: Self.log, progress: progress)
        return try log.bytes(at: 0, count: Self.logHeaderSize) == before && reader.isInTransaction
    }

    private static let logHeaderSize = 32

    // MARK: Nobody uses it

    private func copyUnused(to copy: CopiedDatabase, _ progress: (Int64) throws -> Void) throws -> Bool {
        let before = try stamps()
        for suffix in [""] + Self.sides {
            let file = path.appendingSuffix(suffix)
            guard suffix.isEmpty || before[suffix] != nil else { continue }
            try copy.take(fileSystem.openForReading(file), suffix: suffix, progress: progress)
        }
        return try stamps() == before
    }

    /// What shows a change; the index is made by whoever opens the database.
    private func stamps() throws(FileError) -> [String: FileAttributes] {
        var stamps: [String: FileAttributes] = [:]
        for suffix in ["", Self.index] + Self.sides {
            stamps[suffix] = try fileSystem.attributes(of: path.appendingSuffix(suffix))
        }
        return stamps
    }

    // MARK: Merging

    private func merge(_ copy: PrivateCopy) throws {
        guard let key else { throw noKey() }
        do {
            try SessionStoreError.mapping {
                try key.checkFirstPages(of: copy.database, fileSystem)
                let connection = try Connection(
                    copy.database, mode: .shared, passphrase: key.passphrase.bytes, cipher: key.settings)
                guard try connection.useRollbackJournal() else {
                    throw SessionStoreError(.failed, "cannot merge the write-ahead log", path.string)
                }
            }
        } catch let error as SessionStoreError {
            throw error.named(path, insteadOf: copy.database)
        } catch let error as FileError {
            throw error.named(path, insteadOf: copy.database)
        }
    }

    private func noKey() -> SessionStoreError {
        SessionStoreError(
            .noKey,
            "a program may be using the database, which cannot be copied as of one moment without its key",
            path.string, remedy: .givePassphrase)
    }
}
