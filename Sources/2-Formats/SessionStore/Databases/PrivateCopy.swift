import Synchronization
import SystemPackage
import ValiseFiles

/// A folder for this process and user alone, with the copy of one database. It goes with this object.
final class PrivateCopy: Sendable {
    let folder: FilePath
    private let fileSystem: FileSystem

    private static let made = Atomic<Int>(0)

    /// - Parameter parent: a folder that exists.
    /// - Throws: `FileError`.
    init(in parent: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        let number = Self.made.add(1, ordering: .relaxed).oldValue
        folder = parent.appending(".valise-session-\(ProcessIdentity.current)-\(number)")
        self.fileSystem = fileSystem
        try fileSystem.makeDirectory(folder)
    }

    deinit { try? fileSystem.removeTree(folder) }

    /// Where the copy of the database is.
    var database: FilePath { folder.appending("database") }

    /// Removes what was copied, for another attempt.
    /// - Throws: `FileError`.
    func clear() throws(FileError) {
        for suffix in [""] + DatabaseSnapshot.sides {
            let path = database.appendingSuffix(suffix)
            if try fileSystem.exists(path) { try fileSystem.remove(path) }
        }
    }

    /// Copies a file there. It does not outlive this process, so nothing is flushed.
    /// - Parameters:
    ///   - suffix: of a side file.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: `FileError`; whatever `progress` throws.
    func take(
        _ source: borrowing OpenFile, suffix: String = "", progress: (Int64) throws -> Void = { _ in }
    ) throws {
        try source.seek(to: 0)
        var copy = try fileSystem.create(database.appendingSuffix(suffix))
        try copy.append(contentsOf: source, progress: progress)
        try copy.close()
    }
}
