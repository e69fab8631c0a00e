import Archives
import Failures
import Files
import SystemPackage

/// The archive while it is written: beside its final name, and gone when anything fails.
final class ExportOutput {
    private let archive: FilePath
    private let partial: FilePath
    private let folder: FilePath
    private let fileSystem: FileSystem
    private let lockFile: OpenFile
    private var isPublished = false

    /// - Throws: ``AccountArchiveError`` with `inUse` when another export writes the same file.
    init(_ archive: FilePath, _ fileSystem: FileSystem) throws {
        self.archive = archive
        self.fileSystem = fileSystem
        partial = archive.appendingSuffix(".partial")
        folder = archive.appendingSuffix(".parts")
        guard try fileSystem.isDirectory(archive.parentFolder) else {
            throw AccountArchiveError(
                .notFound, "the folder for the archive is not there", subject: archive.parentFolder.string)
        }
        // What a killed export left is taken over; what a running one writes is locked.
        lockFile = try fileSystem.openOrCreate(partial)
        guard try lockFile.lockRange(.exclusive, start: 0, length: 1) else {
            isPublished = true
            throw AccountArchiveError(
                .inUse, "another export is writing this archive at this moment", subject: archive.string)
        }
        try fileSystem.removeTree(folder)
    }

    /// The file to write to, empty.
    func open() throws -> OpenFile {
        try lockFile.truncate()
        return try fileSystem.openForUpdating(partial)
    }

    /// A folder for private copies of databases, made on demand.
    func privateFolder() throws -> FilePath {
        if !(try fileSystem.exists(folder)) { try fileSystem.makeDirectory(folder) }
        return folder
    }

    /// Checks what was written, gives it its name, and makes the name durable.
    func publish(replacing: Bool) throws {
        _ = try ZipIndex(
            try fileSystem.openForReading(partial), limits: ZipLimits(entries: .max, ratio: .max))
        try fileSystem.removeTree(folder)
        if replacing {
            try fileSystem.rename(partial, to: archive)
        } else {
            try fileSystem.renameExclusively(partial, to: archive)
        }
        isPublished = true
        try fileSystem.synchronizeDirectory(archive.parentFolder)
    }

    func discard() {
        guard !isPublished else { return }
        try? fileSystem.removeTree(folder)
        try? fileSystem.removeTree(partial)
    }
}
