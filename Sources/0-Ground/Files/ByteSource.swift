public import SystemPackage
import ValiseFailures

/// Bytes that can be read at any place, by several threads at once.
public protocol ByteSource: AnyObject, Sendable {
    /// In bytes.
    var size: Int64 { get }
    /// What errors call it.
    var path: FilePath { get }
    /// Fills the buffer from `offset`: fewer bytes only where the content ends.
    /// - Throws: an error of the source.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension ByteSource {
    /// Fills the whole buffer from `offset`.
    /// - Throws: ``FileError`` where the content ends before; an error of the source.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        let count = try unsafe read(into: buffer, at: offset)
        guard count == buffer.count else {
            throw FileError(.failed, "file shrank while being read", path)
        }
    }

    /// Some bytes from `offset`; fewer where the content ends.
    /// - Throws: an error of the source.
    package func bytes(at offset: Int64, upTo count: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = try unsafe read(into: UnsafeMutableRawBufferPointer(memory), at: offset)
        }
    }
}

/// The bytes of a file, its size taken when it was opened.
package final class FileSource: ByteSource {
    // Only read at given places, which any thread may do.
    private let file: OpenFile
    private let start: Int64
    package let size: Int64
    package let path: FilePath

    /// - Throws: ``FileError``.
    package convenience init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        try self.init(try fileSystem.openForReading(path))
    }

    /// - Parameters:
    ///   - file: is closed with the source.
    ///   - path: what errors call it; nil for its own.
    /// - Throws: ``FileError``.
    package init(_ file: consuming OpenFile, as path: FilePath? = nil) throws(FileError) {
        self.path = path ?? file.path
        start = 0
        size = try file.size()
        self.file = file
    }

    /// What is not read yet of a regular file that somebody else opened, such as a standard input that comes from
    /// a file; nil for anything else.
    ///
    /// A file whose content the system makes when it is read has a size of zero: that is nil too.
    ///
    /// - Parameters:
    ///   - descriptor: stays open and where it is.
    ///   - path: what errors call it.
    /// - Throws: ``FileError``.
    package init?(restOf descriptor: FileDescriptor, path: FilePath) throws(FileError) {
        let duplicate: FileDescriptor
        let position: Int64
        do {
            duplicate = try descriptor.duplicate()
            position = (try? duplicate.seek(offset: 0, from: .current)) ?? 0
        } catch {
            throw FileError(cannot: "read", path, error as? Errno ?? .ioError)
        }
        let file = OpenFile(path: path, descriptor: duplicate, interposer: nil)
        let attributes = try file.attributes()
        guard attributes.kind == .regular else { return nil }
        if attributes.size == 0, try !file.bytes(at: 0, count: 1).isEmpty { return nil }
        self.file = file
        self.path = path
        start = position
        size = max(0, attributes.size - position)
    }

    /// What the system says of the file at this moment.
    /// - Throws: ``FileError``.
    package func attributes() throws(FileError) -> FileAttributes { try file.attributes() }

    /// Lends the file for a reader of files. It must not be kept.
    package func withFile<Result>(_ body: (borrowing OpenFile) throws -> Result) rethrows -> Result {
        try body(file)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try unsafe file.read(into: rest, at: start + offset + Int64(filled))
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
