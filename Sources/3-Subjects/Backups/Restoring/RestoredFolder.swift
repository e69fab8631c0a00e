package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// A new folder that appears with all that belongs into it, or not at all.
///
/// It is filled beside its place, under the name `NAME.partial`, and locked. What a killed run left there is removed.
package final class RestoredFolder {
    package let path: FilePath
    /// The place until it is published.
    package let partial: FilePath
    private let fileSystem: FileSystem
    private let lock: DirectoryLock
    private var isPublished = false

    /// So much is left to everybody else, in bytes.
    private static let margin: Int64 = 16 << 20

    /// - Parameters:
    ///   - path: must not exist, unless it is an empty folder.
    ///   - size: what will be in it, in bytes.
    /// - Throws: `FileError`: `alreadyExists`, `notFound` where the folder above is missing, `noSpace`, `inUse`.
    package init(_ path: FilePath, size: Int64, _ fileSystem: FileSystem) throws {
        self.path = path
        self.fileSystem = fileSystem
        partial = path.appendingSuffix(PendingFile.suffix)
        guard try fileSystem.isDirectory(path.parentFolder) else {
            throw FileError.noFolder(path.parentFolder)
        }
        try Self.refuseOther(path, fileSystem)
        let free = try fileSystem.freeSpace(at: path.parentFolder)
        guard free >= size + Self.margin else {
            throw FileError(
                .noSpace,
                "this needs \(Count.bytes(size + Self.margin)), but only \(Count.bytes(free)) are free",
                path)
        }
        lock = try Self.make(partial, path, fileSystem)
    }

    deinit {
        if !isPublished { try? fileSystem.removeTree(partial) }
    }

    private static func refuseOther(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return }
        guard found.kind == .directory, try fileSystem.list(path).isEmpty else {
            throw FileError(
                .alreadyExists, "exists already. Nothing was written.", path, remedy: .chooseAnotherFolder)
        }
    }

    private static func make(
        _ partial: FilePath, _ path: FilePath, _ fileSystem: FileSystem
    ) throws -> DirectoryLock {
        if let found = try fileSystem.attributes(of: partial) {
            guard found.kind == .directory, found.owner == ProcessIdentity.user,
                let previous = try DirectoryLock(partial, .exclusive)
            else { throw FileError(.inUse, "another process is writing this folder", path) }
            try fileSystem.removeTree(partial)
            _ = consume previous
        }
        try fileSystem.makeDirectory(partial)
        guard let lock = try DirectoryLock(partial, .exclusive) else {
            throw FileError(.inUse, "another process is writing this folder", path)
        }
        return lock
    }

    /// Makes all that was written durable, and gives the folder its name.
    /// - Throws: `FileError`: `alreadyExists`.
    package func publish() throws {
        try fileSystem.synchronizeAll(partial)
        try Self.refuseOther(path, fileSystem)
        do throws(FileError) {
            try fileSystem.renameExclusively(partial, to: path)
        } catch  where [.unsupported, .alreadyExists].contains(error.code) {
            // A plain rename replaces no folder but an empty one.
            try fileSystem.rename(partial, to: path)
        }
        isPublished = true
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }
}
