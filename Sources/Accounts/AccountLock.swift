import Failures
public import Files
import SystemPackage

/// Keeps two runs of Valise, and a run and an app, from using one account at once.
///
/// Two locks are taken: one on the folder, against other runs of Valise; and SQLite's own byte ranges of
/// both databases, against any program that opens them. While it is exclusive, this process must not open
/// the databases in place either: it works on copies.
public final class AccountLock {
    private let folder: DirectoryLock
    private var databases: [DatabaseLock]

    /// A process that was just started by another thread shares our locks until it runs its own program, and
    /// one that was killed a moment ago may still have them. So a lock is tried for a moment.
    private static let attempts = 6
    private static let pause: Duration = .milliseconds(30)

    /// - Parameter takesRetired: whether it may be an account that was moved away, see ``RetiredMark``.
    /// - Throws: ``AccountError``: `inUse`, with the holder's name where the system tells it; `unsupported` for an account
    ///   that was moved away; ``FileError``.
    public init(
        _ location: AccountLocation, _ mode: LockMode, takesRetired: Bool = false, fileSystem: FileSystem
    ) throws {
        if !takesRetired { try RetiredMark.refuse(location, fileSystem: fileSystem) }
        (folder, databases) = try Self.takeSoon(location, mode, fileSystem)
        // It may have been moved away while the lock was waited for.
        if !takesRetired { try RetiredMark.refuse(location, fileSystem: fileSystem) }
    }

    private static func takeSoon(
        _ location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> (DirectoryLock, [DatabaseLock]) {
        for _ in 1..<Self.attempts {
            do {
                return try Self.take(location, mode, fileSystem)
            } catch let error as AccountError where error.code == .inUse {
                FileSystem.wait(Self.pause)
            }
        }
        return try Self.take(location, mode, fileSystem)
    }

    private static func take(
        _ location: AccountLocation, _ mode: LockMode, _ fileSystem: FileSystem
    ) throws -> (DirectoryLock, [DatabaseLock]) {
        let directory = location.directory
        guard let folder = try DirectoryLock(directory, mode) else {
            let inode = try? fileSystem.attributes(of: fileSystem.resolve(directory))?.inode
            let holder = LockHolder.flockHolder(inode: inode ?? 0, fileSystem)
            throw inUse(directory, holder, fileSystem)
        }
        let paths = AccountDatabase.allCases.map { location.path(of: $0) }
        if let holder = LockHolder.openedBy(anyOf: paths, fileSystem) {
            throw inUse(directory, holder, fileSystem)
        }
        return (folder, try locks(of: location, mode, fileSystem))
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
        for path in paths { databases.append(try DatabaseLock(path, .exclusive, fileSystem)) }
    }

    /// Lets go of files that are no longer the account's: as long as they are open, their space is not free.
    func dropReplaced(_ location: AccountLocation, fileSystem: FileSystem) {
        do {
            let current = try AccountDatabase.allCases.compactMap {
                try fileSystem.attributes(of: location.path(of: $0))
            }
            databases = try databases.filter { lock in
                let locked = try lock.attributes()
                return current.contains { $0.isSameFile(as: locked) }
            }
        } catch {
            // One lock too many does no harm, one too few would.
        }
    }

    /// Locks the databases that are there now, after others were put in place.
    func relock(_ location: AccountLocation, fileSystem: FileSystem) throws {
        databases.removeAll()
        databases = try Self.locks(of: location, .exclusive, fileSystem)
        // Between the two somebody may have opened them.
        let paths = AccountDatabase.allCases.map { location.path(of: $0) }
        if let holder = LockHolder.openedBy(anyOf: paths, fileSystem) {
            throw Self.inUse(location.directory, holder, fileSystem)
        }
    }

    static func inUse(_ path: FilePath, _ holder: Int32, _ fileSystem: FileSystem) -> AccountError {
        let name = LockHolder.describe(holder, fileSystem)
        return AccountError(
            .inUse, "this account is in use by \(name); close it and try again, nothing was changed", path,
            holder: name)
    }
}

/// SQLite's own lock on one database file (its PENDING, RESERVED and SHARED bytes).
private final class DatabaseLock {
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
            let holder = file.lockHolder(start: Self.start, length: Self.length)
            throw AccountLock.inUse(path, holder ?? 0, fileSystem)
        }
    }

    func attributes() throws(FileError) -> FileAttributes { try file.attributes() }
}
