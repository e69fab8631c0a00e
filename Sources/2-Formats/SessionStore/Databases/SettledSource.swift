import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// A database that nobody uses, read where it is: as soon as a program begins to change it, nothing of it is given any more.
///
/// What was read before is of one state. A program that writes changes the time of the file before its content.
final class SettledSource: ByteSource {
    private let source: FileSource
    /// The same file, which is asked for its times after each read: to find it by its name each time takes longer than to read.
    private let file: OpenFile
    private let before: FileAttributes

    /// In seconds. The times of files are as exact as the ticks of a clock, on some file systems two seconds: what is written within one
    /// does not show.
    private static let quiet: Int64 = 3

    /// - Returns: nil where a program may be using it, or has just used it.
    /// - Throws: `FileError`.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws {
        guard let before = try Self.attributes(of: path, fileSystem) else { return nil }
        self.before = before
        source = try FileSource(path, fileSystem: fileSystem)
        file = try fileSystem.openForReading(path)
        // Both are the file that was looked at, or nothing is read.
        guard try file.attributes() == before, try Self.attributes(of: path, fileSystem) == before else {
            return nil
        }
    }

    private static func attributes(of path: FilePath, _ fileSystem: FileSystem) throws -> FileAttributes? {
        for suffix in DatabaseSnapshot.sides + [DatabaseSnapshot.index] {
            guard try !fileSystem.exists(path.appendingSuffix(suffix)) else { return nil }
        }
        let found = try fileSystem.attributes(of: path)
        guard let found, found.kind == .regular, UTCTime.clock() - found.changeTime > quiet else {
            return nil
        }
        return found
    }

    /// Whether a database can be read so.
    /// - Throws: `FileError`.
    static func isSettled(_ path: FilePath, _ fileSystem: FileSystem) throws -> Bool {
        try attributes(of: path, fileSystem) != nil
    }

    var size: Int64 { before.size }
    var path: FilePath { source.path }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try unsafe source.read(into: buffer, at: offset)
        guard try file.attributes() == before else {
            throw SessionStoreError(
                .inUse, "a program began to change the database while it was read. Nothing was changed.",
                path.string, remedy: .closeProgram)
        }
        return count
    }
}
