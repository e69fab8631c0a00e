package import SystemPackage
import ValiseEncoding
import ValiseFailures

extension FileSystem {
    /// A path, or the nearest one above it that is there.
    package func nearestExisting(_ path: FilePath) throws(FileError) -> FilePath {
        var path = path
        while try !exists(path), path.parentFolder != path { path = path.parentFolder }
        return path
    }

    /// Makes the folder and those above it that are missing, and makes their names durable. Another process may do the same
    /// meanwhile.
    /// - Throws: ``FileError``: `unsupported` when something that is no folder is in the way.
    package func makeDirectories(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWriteExecute
    ) throws(FileError) {
        if try isFolder(path) { return }
        let parent = path.parentFolder
        if parent != path { try makeDirectories(parent, permissions: permissions) }
        do throws(FileError) {
            try makeDirectory(path, permissions: permissions)
        } catch {
            guard error.code == .alreadyExists, try isFolder(path) else { throw error }
        }
        // Whoever came first may not have come this far yet.
        try synchronizeDirectory(parent)
    }

    /// Whether a folder is at the path rather than nothing.
    private func isFolder(_ path: FilePath) throws(FileError) -> Bool {
        guard let found = try attributes(of: path) else { return false }
        if found.kind == .directory { return true }
        // A link to a folder is a usual way to keep media on another disk.
        if found.kind == .symbolicLink, try isDirectory(path) { return true }
        throw FileError(.unsupported, "not a folder", path)
    }

    /// Whether a folder is at the path, links followed.
    /// - Throws: ``FileError`` when the system does not let us look.
    package func isDirectory(_ path: FilePath) throws(FileError) -> Bool {
        guard try exists(path) else { return false }
        guard let target = try? resolve(path) else { return false }
        return try attributes(of: target)?.kind == .directory
    }

    /// Removes whatever is at the path, folders with all that is in them; nothing there is no failure.
    /// - Throws: ``FileError``; part of the tree may be gone.
    package func removeTree(_ path: FilePath) throws(FileError) {
        guard let found = try attributes(of: path) else { return }
        guard found.kind == .directory else { return try remove(path) }
        for entry in try list(path) {
            guard let component = FilePath.Component(bytes: entry.nameBytes) else { continue }
            try removeTree(path.appending(component))
        }
        try removeDirectory(path)
    }

    /// The content of a small file.
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the most bytes that are read.
    /// - Throws: ``FileError``: `unsupported` when the file is larger than `limit`.
    package func contents(of path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
        let file = try openForReading(path)
        let size = try file.size()
        guard size <= Int64(limit) else {
            throw FileError(.unsupported, "file exceeds the limit of \(Count.bytes(Int64(limit)))", path)
        }
        return try file.bytes(at: 0, count: Int(size))
    }

    /// Writes a small file so that a crash leaves the previous one or the new one, whole and durable.
    /// - Throws: ``FileError``; the previous file is untouched then.
    package func replace(
        _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions = .ownerReadWrite
    ) throws(FileError) {
        let beside = path.appendingSuffix(".new")
        if try exists(beside) { try remove(beside) }
        var file = try create(beside, for: path, permissions)
        do throws(FileError) {
            try file.write(bytes)
            try file.synchronize()
            try file.close()
            try rename(beside, to: path)
        } catch {
            try? remove(beside)
            throw error.named(path, insteadOf: beside)
        }
        try synchronizeDirectory(path.parentFolder)
    }

    private func create(
        _ beside: FilePath, for path: FilePath, _ permissions: FilePermissions
    ) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try create(beside, permissions: permissions)
        } catch {
            throw error.named(path, insteadOf: beside)
        }
    }

    /// Copies a file to a new one and makes its content durable; the new name becomes durable with its folder.
    ///
    /// - Parameters:
    ///   - source: the file that is copied.
    ///   - target: the copy, which must not be there yet.
    ///   - permissions: of the copy.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``FileError``; whatever `progress` throws. What was copied so far is removed.
    package func copy(
        _ source: FilePath, to target: FilePath, permissions: FilePermissions = .ownerReadWrite,
        progress: (Int64) throws -> Void = { _ in }
    ) throws {
        let from = try openForReading(source)
        var to = try create(target, permissions: permissions)
        do {
            try to.append(contentsOf: from, progress: progress)
            try to.synchronize()
            try to.close()
        } catch {
            try? remove(target)
            throw error
        }
    }
}

extension FilePath {
    /// The folder that holds the last component; `.` for a bare name.
    package var parentFolder: FilePath {
        guard let separator = platformBytes.lastIndex(of: Self.separator) else { return "." }
        // Only a root ends with a separator, and nothing is above it.
        return separator == 0 ? "/" : FilePath(platformBytes: platformBytes[..<separator])
    }

    /// The same path with `suffix` added to its last component.
    package func appendingSuffix(_ suffix: String) -> FilePath {
        // As bytes: names need not be UTF-8.
        let bytes = platformBytes
        guard let last = bytes.last, last != Self.separator else { return self }
        return FilePath(platformBytes: bytes + suffix.utf8.map(CInterop.PlatformChar.init(bitPattern:)))
    }

    private static let separator = CInterop.PlatformChar(UInt8(ascii: "/"))

    private var platformBytes: [CInterop.PlatformChar] {
        unsafe withPlatformString { unsafe Array(UnsafeBufferPointer(start: $0, count: length)) }
    }

    private init(platformBytes: some Collection<CInterop.PlatformChar>) {
        unsafe self.init(platformString: Array(platformBytes) + [0])
    }
}
