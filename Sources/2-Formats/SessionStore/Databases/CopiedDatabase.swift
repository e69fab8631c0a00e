import SystemPackage
import ValiseFiles

/// Where the files of a database are copied to.
struct CopiedDatabase: Sendable {
    /// Of the database. Files beside it have its name with a suffix.
    let path: FilePath
    let fileSystem: FileSystem
    /// Whether the files outlive this process, so that they are flushed.
    let isKept: Bool

    /// Removes what was copied, for another attempt.
    /// - Throws: `FileError`.
    func clear() throws(FileError) {
        for suffix in [""] + DatabaseSnapshot.sides {
            let path = path.appendingSuffix(suffix)
            if try fileSystem.exists(path) { try fileSystem.remove(path) }
        }
    }

    /// Copies a file there.
    /// - Parameters:
    ///   - source: the file.
    ///   - suffix: of a side file.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: `FileError`; whatever `progress` throws.
    func take(
        _ source: borrowing OpenFile, suffix: String = "", progress: (Int64) throws -> Void = { _ in }
    ) throws {
        try source.seek(to: 0)
        var copy = try fileSystem.create(path.appendingSuffix(suffix))
        try copy.append(contentsOf: source, progress: progress)
        if isKept { try copy.synchronize() }
        try copy.close()
    }
}
