import Failures
public import SystemPackage

/// A file while it is written: beside its final name, and gone when it is not published.
///
/// Under the name `NAME.partial`, locked. What a killed run left there is taken over; what a running one writes
/// is refused.
public final class PendingFile {
    /// The final name.
    public let path: FilePath
    /// The name until then.
    public let partial: FilePath
    private let fileSystem: FileSystem
    private let lockFile: OpenFile
    private var isPublished = false

    /// What is appended to the name until the file is complete.
    public static let suffix = ".partial"

    /// - Throws: ``FileError``: `notFound` where the folder is missing, `inUse` when another run writes the same
    ///   file.
    public init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        self.path = path
        self.fileSystem = fileSystem
        partial = path.appendingSuffix(Self.suffix)
        guard try fileSystem.isDirectory(path.parentFolder) else {
            throw FileError(.notFound, "the folder for this file is not there", path.parentFolder)
        }
        lockFile = try Self.lock(partial, path, fileSystem)
    }

    deinit {
        if !isPublished { try? fileSystem.remove(partial) }
    }

    private static func lock(
        _ partial: FilePath, _ path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> OpenFile {
        while true {
            let file = try fileSystem.openOrCreate(partial)
            guard try file.lockRange(.exclusive, start: 0, length: 1) else {
                throw FileError(.inUse, "another run is writing this file at this moment", path)
            }
            // Between opening and locking, another run may have published it: then it is not ours to empty.
            let named = try fileSystem.attributes(of: partial)
            let opened = try file.attributes()
            if let named, named.inode == opened.inode, named.device == opened.device {
                do throws(FileError) {
                    try file.truncate()
                } catch {
                    try? fileSystem.remove(partial)
                    throw error
                }
                return file
            }
        }
    }

    /// The file to write to. It is empty at first.
    /// - Throws: ``FileError``.
    public func open() throws(FileError) -> OpenFile {
        try fileSystem.openForUpdating(partial)
    }

    /// Gives the file its name and makes the name durable. Its content must be durable already.
    ///
    /// - Parameter replacing: whether a file of that name is replaced.
    /// - Throws: ``FileError``: `alreadyExists`. The file is gone then, and what was there is untouched.
    public func publish(replacing: Bool) throws(FileError) {
        if replacing {
            try fileSystem.rename(partial, to: path)
        } else {
            try fileSystem.renameExclusively(partial, to: path)
        }
        isPublished = true
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }
}
