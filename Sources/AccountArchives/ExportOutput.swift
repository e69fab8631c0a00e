import Archives
import Failures
import Files
import SystemPackage

/// The archive while it is written, with private copies of databases beside it.
final class ExportOutput {
    private let file: PendingFile
    private let folder: FilePath
    private let fileSystem: FileSystem

    /// - Throws: ``AccountArchiveError`` with `inUse` when another export writes the same file.
    init(_ archive: FilePath, _ fileSystem: FileSystem) throws {
        self.fileSystem = fileSystem
        folder = archive.appendingSuffix(".parts")
        do {
            file = try PendingFile(archive, fileSystem: fileSystem)
        } catch  where error.code == .inUse {
            throw AccountArchiveError(
                .inUse, "another export is writing this archive at this moment", subject: archive.string)
        } catch  where error.code == .notFound {
            throw AccountArchiveError(
                .notFound, "the folder for the archive is not there", subject: archive.parentFolder.string)
        }
        try fileSystem.removeTree(folder)
    }

    deinit {
        try? fileSystem.removeTree(folder)
    }

    /// The file to write to, empty.
    func open() throws -> OpenFile { try file.open() }

    /// A folder for private copies of databases, made on demand.
    func privateFolder() throws -> FilePath {
        if !(try fileSystem.exists(folder)) { try fileSystem.makeDirectory(folder) }
        return folder
    }

    /// Checks what was written, gives it its name, and makes the name durable.
    func publish(replacing: Bool) throws {
        _ = try ZipIndex(
            try fileSystem.openForReading(file.partial), limits: ZipLimits(entries: .max, ratio: .max))
        try fileSystem.removeTree(folder)
        try file.publish(replacing: replacing)
    }
}
