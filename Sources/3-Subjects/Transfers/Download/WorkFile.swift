import SystemPackage
import ValiseFiles

/// A file that several threads write and read, each at its own place.
final class WorkFile: Sendable {
    // Only used at given places, which any thread may do.
    private let file: OpenFile

    /// - Throws: ``FileError``.
    init(_ path: FilePath, fileSystem: FileSystem) throws(FileError) {
        file = try fileSystem.openOrCreate(path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        try unsafe file.write(bytes, at: offset)
    }

    /// - Returns: whether all of the buffer was there.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try unsafe file.read(into: rest, at: offset + Int64(filled))
            if count == 0 { return false }
            filled += count
        }
        return true
    }

    /// In bytes.
    func size() throws(FileError) -> Int64 { try file.size() }

    func truncate(to size: Int64) throws(FileError) { try file.truncate(to: size) }

    func synchronize() throws(FileError) { try file.synchronize() }
}
