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

    /// What is copied there. It does not outlive this process, so nothing is flushed.
    var files: CopiedDatabase { CopiedDatabase(path: database, fileSystem: fileSystem, isKept: false) }
}
