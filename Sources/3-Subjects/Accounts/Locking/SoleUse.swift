package import SystemPackage
package import ValiseFiles

/// The use of a database by this process alone: no other has it open, and none can begin to read or write it. Given back when it
/// goes out of scope, or when the process dies.
///
/// For databases of other programs, which are no accounts: see ``AccountLock`` for those. It keeps SQLite in this process out as
/// well. Files can be read and copied meanwhile: that takes no lock, and this one belongs to an open file of its own.
package final class SoleUse: Sendable {
    private let lock: DatabaseLock

    /// - Parameters:
    ///   - path: of the database. Its index, where it is there, shows who has a write-ahead log open.
    ///   - fileSystem: where it is opened.
    /// - Throws: ``AccountError`` with `inUse`, with the holder's name where the system tells it; ``FileError``.
    package init(of path: FilePath, _ fileSystem: FileSystem) throws {
        let paths = [path, path.appendingSuffix("-wal"), path.appendingSuffix("-shm")]
        lock = try HeldLock.lookingTwice(fileSystem) {
            if let holder = LockHolder.openedBy(anyOf: paths, fileSystem) { throw HeldLock(path, holder) }
            return try DatabaseLock(path, .exclusive, fileSystem)
        }
    }
}
