import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Looks at the owners, permissions and times of what is in a folder. Links are not followed.
struct FolderScan {
    /// So deep: nothing of ours is deeper.
    private static let deepest = 8
    /// In seconds: clocks differ, and so do time zones on foreign file systems.
    private static let tolerance: Int64 = 86_400

    private let fileSystem = FileSystem()
    private let now = UTCTime.clock()
    /// Bits that nobody but the owner may have.
    private let forbidden: FilePermissions

    /// Files and folders to which others have access.
    private(set) var exposed = 0
    /// One of them.
    private(set) var firstExposed: FilePath?
    /// Files and folders of other users.
    private(set) var foreign = 0
    /// Files that were changed in the future.
    private(set) var future = 0

    /// - Parameter forbidden: what only the owner may.
    init(forbidden: FilePermissions) { self.forbidden = forbidden }

    /// Adds a file, or a folder with all that is in it.
    /// - Throws: `FileError`; `Interruption` where the task was cancelled.
    mutating func add(_ path: FilePath, depth: Int = 0) throws {
        guard let found = try fileSystem.attributes(of: path),
            found.kind == .regular || found.kind == .directory
        else { return }
        try Interruption.checkTask()
        if !found.permissions.isDisjoint(with: forbidden) {
            exposed += 1
            firstExposed = firstExposed ?? path
        }
        if found.owner != ProcessIdentity.user { foreign += 1 }
        if found.kind == .regular, found.modificationTime - Self.tolerance > now { future += 1 }
        guard found.kind == .directory, depth < Self.deepest, found.owner == ProcessIdentity.user else {
            return
        }
        for entry in try fileSystem.list(path) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            try add(path.appending(name), depth: depth + 1)
        }
    }
}

extension FilePermissions {
    /// Everything that users other than the owner may.
    static let ofOthers: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    /// Reading and writing a file.
    static let readingByOthers: FilePermissions = [.groupReadWrite, .otherReadWrite]
    /// Getting into a folder.
    static let enteringByOthers: FilePermissions = [.groupExecute, .otherExecute]
}
