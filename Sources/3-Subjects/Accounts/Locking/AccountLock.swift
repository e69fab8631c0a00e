import Synchronization
import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Keeps two runs of Valise, and a run and an app, from using one account at once.
///
/// Two locks are taken: one on the folder, against other runs of Valise; and SQLite's own byte ranges of
/// both databases, against any program that opens them. While it is exclusive, this process must not open
/// the databases in place either: it works on copies.
package final class AccountLock: Sendable {
    private let folder: DirectoryLock
    private let databases: Mutex<[DatabaseLock]>

    /// - Parameter takesRetired: whether it may be an account that was moved away, see ``RetiredMark``.
    /// - Throws: ``AccountError``: `inUse`, with the holder's name where the system tells it; `unsupported` for an account
    ///   that was moved away; ``FileError``.
    package init(
        _ location: AccountLocation, _ mode: LockMode, takesRetired: Bool = false, fileSystem: FileSystem
    ) throws {
        if !takesRetired { try RetiredMark.refuse(location, fileSystem: fileSystem) }
        let (folder, databases) = try HeldLock.lookingTwice(fileSystem) {
            try Self.take(location, mode, fileSystem)
        }
        self.folder = folder
        self.databases = Mutex(databases)
        // It may have been moved away while the lock was waited for.
        if !takesRetired { try RetiredMark.refuse(location, fileSystem: fileSystem) }
    }

    private static func take(
        _ location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> (DirectoryLock, [DatabaseLock]) {
        let folder = try takeFolder(location, mode, fileSystem)
        let paths = AccountDatabase.allCases.map { location.path(of: $0) }
        if let holder = LockHolder.openedBy(anyOf: paths, fileSystem) {
            throw HeldLock(location.directory, holder)
        }
        return (folder, try locks(of: location, mode, fileSystem))
    }

    private static func takeFolder(
        _ location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> DirectoryLock {
        if let folder = try DirectoryLock(location.directory, mode) { return folder }
        let inode = try? fileSystem.attributes(of: fileSystem.resolve(location.directory))?.inode
        throw HeldLock(location.directory, LockHolder.flockHolder(inode: inode ?? 0, fileSystem))
    }

    /// The lock against other runs of Valise alone.
    /// - Throws: ``AccountError`` with `inUse`; ``FileError``.
    static func lockFolder(
        _ location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> DirectoryLock {
        try HeldLock.lookingTwice(fileSystem) { try takeFolder(location, mode, fileSystem) }
    }

    private static func locks(
        of location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> [DatabaseLock] {
        let isReadOnly = try ReadOnlyMark.isThere(location, fileSystem: fileSystem)
        return try AccountDatabase.allCases.map { location.path(of: $0) }.filter { try fileSystem.exists($0) }
            .map { try DatabaseLock($0, mode, fileSystem, mayOnlyRead: isReadOnly) }
    }

    /// Locks further files, such as those that are about to be put in place.
    func add(_ paths: [FilePath], fileSystem: FileSystem) throws {
        for path in paths {
            let lock = try HeldLock.lookingTwice(fileSystem) {
                try DatabaseLock(path, .exclusive, fileSystem)
            }
            databases.withLock { $0.append(lock) }
        }
    }

    /// Lets programs write to the databases again. Other runs of Valise are kept out as long as this object lives.
    func releaseDatabases() { databases.withLock { $0.removeAll() } }

    /// Lets go of files that are no longer the account's: as long as they are open, their space is not free.
    func dropReplaced(_ location: AccountLocation, fileSystem: FileSystem) {
        do {
            let current = try AccountDatabase.allCases.compactMap {
                try fileSystem.attributes(of: location.path(of: $0))
            }
            try databases.withLock { databases in
                databases = try databases.filter { lock in
                    let locked = try lock.attributes()
                    return current.contains { $0.isSameFile(as: locked) }
                }
            }
        } catch {
            // One lock too many does no harm, one too few would.
        }
    }

    /// Locks the databases that are there now, after others were put in place.
    func relock(_ location: AccountLocation, fileSystem: FileSystem) throws {
        databases.withLock { $0.removeAll() }
        let taken = try HeldLock.lookingTwice(fileSystem) {
            let locks = try Self.locks(of: location, .exclusive, fileSystem)
            // Between the two somebody may have opened them.
            let paths = AccountDatabase.allCases.map { location.path(of: $0) }
            if let holder = LockHolder.openedBy(anyOf: paths, fileSystem) {
                throw HeldLock(location.directory, holder)
            }
            return locks
        }
        databases.withLock { $0 = taken }
    }
}

/// SQLite's own lock on one database file (its PENDING, RESERVED and SHARED bytes).
final class DatabaseLock: Sendable {
    private let file: OpenFile

    // https://www.sqlite.org/src: os.h, PENDING_BYTE, RESERVED_BYTE, SHARED_FIRST, SHARED_SIZE.
    private static let start: Int64 = 0x4000_0000
    private static let length: Int64 = 2 + 510

    /// - Parameter mayOnlyRead: whether the file may be one that its owner cannot write to either. It cannot be
    ///   locked exclusively then, nor need it be: nobody writes there.
    init(
        _ path: FilePath, _ wanted: LockMode, _ fileSystem: FileSystem, mayOnlyRead: Bool = false
    ) throws {
        var mode = wanted
        switch wanted {
        case .shared: file = try fileSystem.openForReading(path)
        case .exclusive:
            do throws(FileError) {
                file = try fileSystem.openForUpdating(path)
            } catch {
                guard mayOnlyRead, error.code == .denied else { throw error }
                file = try fileSystem.openForReading(path)
                mode = .shared
            }
        }
        guard try file.lockRange(mode, start: Self.start, length: Self.length) else {
            throw HeldLock(path, file.lockHolder(start: Self.start, length: Self.length) ?? 0)
        }
    }

    func attributes() throws(FileError) -> FileAttributes { try file.attributes() }
}
