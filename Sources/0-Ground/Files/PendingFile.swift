package import SystemPackage
import ValiseFailures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file while it is written: beside its final name, and gone when it is not published.
///
/// Under the name `NAME.partial`, locked. What a killed run left there is removed, unless it is asked for; what a running one
/// writes, and what cannot be of a run of this user, is refused.
package final class PendingFile {
    /// The final name.
    package let path: FilePath
    /// The name until then.
    package let partial: FilePath
    private let fileSystem: FileSystem
    private let lockFile: OpenFile
    private var isPublished = false

    /// Whether the content is that of an earlier run.
    package let hasPrevious: Bool
    /// Whether the file stays under its temporary name where it is not published, for a later run.
    package var isLeft = false

    /// What is appended to the name until the file is complete.
    package static let suffix = ".partial"

    /// - Parameters:
    ///   - path: the final name.
    ///   - keepsPrevious: whether what a killed run left is taken over with its content, where nobody else could read it.
    ///   - fileSystem: where it is written.
    /// - Throws: ``FileError``: `notFound` where the folder is missing, `inUse` when another run writes the same
    ///   file, `alreadyExists` when something else has the temporary name, `unsupported` as
    ///   ``checkPlace(_:fileSystem:)``.
    package init(
        _ path: FilePath, keepsPrevious: Bool = false, fileSystem: FileSystem = FileSystem()
    ) throws(FileError) {
        self.path = path
        self.fileSystem = fileSystem
        partial = Self.partialPath(of: path)
        guard try fileSystem.isDirectory(path.parentFolder) else {
            throw FileError.noFolder(path.parentFolder)
        }
        try Self.checkPlace(path, fileSystem: fileSystem)
        var previous = keepsPrevious
        lockFile = try Self.lock(partial, path, &previous, fileSystem)
        hasPrevious = previous
    }

    /// Refuses to put a file in the place of anything else: a rename would replace a device or a link too.
    /// - Throws: ``FileError``: `unsupported`.
    package static func checkPlace(
        _ path: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws(FileError) {
        let thing: String
        switch try fileSystem.attributes(of: path)?.kind {
        case nil, .regular: return
        case .directory: thing = "a folder"
        case .symbolicLink: thing = "a symbolic link"
        case .special: thing = "a device, pipe or socket"
        }
        throw FileError(
            .unsupported,
            "\(thing) with this name exists and is not replaced. Nothing was written.",
            path, remedy: .chooseAnotherName)
    }

    /// The temporary name of a file.
    package static func partialPath(of path: FilePath) -> FilePath { path.appendingSuffix(suffix) }

    deinit {
        if !isPublished, !isLeft { try? fileSystem.remove(partial) }
    }

    /// - Parameter keepsPrevious: whether what is there is kept; then whether it was.
    private static func lock(
        _ partial: FilePath, _ path: FilePath, _ keepsPrevious: inout Bool, _ fileSystem: FileSystem
    ) throws(FileError) -> OpenFile {
        while true {
            let previous = try fileSystem.attributes(of: partial)
            if let previous { try check(previous, partial, path, fileSystem) }
            let file: OpenFile
            do throws(FileError) {
                file = try previous == nil ? fileSystem.create(partial) : fileSystem.openForUpdating(partial)
            } catch  where previous == nil ? error.code == .alreadyExists : error.code == .notFound {
                // Another run was between the look and us.
                continue
            } catch {
                throw error.named(path, insteadOf: partial)
            }
            guard try file.lockRange(.exclusive, start: 0, length: 1) else {
                throw FileError(.inUse, "another process is writing this file", path)
            }
            // Between opening and locking, another run may have published or removed it.
            let opened = try file.attributes()
            guard let named = try fileSystem.attributes(of: partial), named.isSameFile(as: opened) else {
                continue
            }
            if previous == nil {
                keepsPrevious = false
                return file
            }
            try check(opened, partial, path, fileSystem)
            // Nobody else can have it open, and nothing else leads to it.
            if keepsPrevious, opened.links == 1, opened.isPrivateFile { return file }
            // A new file in its place, not this one emptied: who could read it may have it open.
            try fileSystem.remove(partial)
        }
    }

    /// Sees to it that what a run left is of a run of this user.
    private static func check(
        _ previous: FileAttributes, _ partial: FilePath, _ path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) {
        guard previous.kind == .regular else { throw foreign("not a regular file", partial) }
        guard previous.owner == geteuid() else { throw foreign("owned by another user", partial) }
        // A killed run may have left a file under both of its names, see `FileSystem.renameExclusively`.
        let names = try fileSystem.attributes(of: path)?.isSameFile(as: previous) == true ? 2 : 1
        guard previous.links <= names else { throw foreign("it has other hard links", partial) }
    }

    private static func foreign(_ why: String, _ partial: FilePath) -> FileError {
        FileError(
            .alreadyExists,
            "the temporary file was not left by a run of this user: \(why). Nothing was changed.",
            partial, remedy: .moveAway(partial))
    }

    /// The file to write to. It is empty at first, unless it ``hasPrevious`` content.
    /// - Throws: ``FileError``.
    package func open() throws(FileError) -> OpenFile {
        try fileSystem.openForUpdating(partial)
    }

    /// Whether the file has its final name, even where publishing it failed.
    /// - Throws: ``FileError`` when the system does not let us look.
    package func hasFinalName() throws(FileError) -> Bool {
        guard let partial = try fileSystem.attributes(of: partial) else { return true }
        return try fileSystem.attributes(of: path)?.isSameFile(as: partial) == true
    }

    /// Gives the file its name and makes the name durable. Its content must be durable already.
    ///
    /// - Parameters:
    ///   - replacing: whether a file of that name is replaced.
    ///   - content: what is replaced.
    /// - Throws: ``FileError``: `alreadyExists`. The file is gone then, and what was there is untouched.
    package func publish(
        replacing: Bool, _ content: ReplaceableContent = .anything
    ) throws(FileError) {
        if replacing {
            // Once more: time has passed.
            try content.check(path, fileSystem: fileSystem)
            try fileSystem.rename(partial, to: path)
        } else {
            try fileSystem.renameExclusively(partial, to: path)
        }
        isPublished = true
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }
}
