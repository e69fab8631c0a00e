import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Compares bytes that come in pieces with those of a file.
@safe final class FileMatch {
    private let file: FileSource
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var offset: Int64 = 0
    private var differs = false

    /// - Returns: nil where no regular file of this size is there: then it differs.
    /// - Throws: ``FileError``.
    init?(_ path: FilePath, size: Int64, _ fileSystem: FileSystem) throws {
        guard let found = try fileSystem.attributes(of: path), found.kind == .regular, found.size == size
        else { return nil }
        file = try FileSource(path, fileSystem: fileSystem)
    }

    deinit { unsafe buffer.deallocate() }

    /// The next bytes.
    func compare(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = unsafe bytes
        while !differs, let start = rest.baseAddress, let own = unsafe buffer.baseAddress,
            unsafe !rest.isEmpty
        {
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer.prefix(min(buffer.count, rest.count)))
            let count = try unsafe file.read(into: piece, at: offset)
            differs = unsafe count < piece.count || memcmp(own, start, count) != 0
            offset += Int64(count)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Whether all bytes of the file came, and no others.
    var isEqual: Bool { !differs && offset == file.size }

    /// Whether two files have the same content.
    /// - Throws: ``FileError``.
    static func areEqual(_ one: FilePath, _ other: FilePath, _ fileSystem: FileSystem) throws -> Bool {
        let source = try FileSource(one, fileSystem: fileSystem)
        guard let comparison = try FileMatch(other, size: source.size, fileSystem) else {
            return false
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while !comparison.differs {
            let count = try unsafe source.read(into: buffer, at: comparison.offset)
            if count == 0 { break }
            try unsafe comparison.compare(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
        }
        return comparison.isEqual
    }
}
