import SystemPackage
import ValiseFailures
import ValiseFiles

/// The lines of a file, one at a time: memory does not grow with it.
struct LineReader: ~Copyable {
    private let file: OpenFile
    private var buffer: [UInt8] = []
    private var start = 0
    private var offset: Int64 = 0
    private var isAtEnd = false

    private static let piece = 1 << 20
    /// No item is longer: texts have at most some kilobytes, and pictures within them some more.
    static let longestLine = 64 << 20

    /// - Parameter offset: where the first line begins.
    /// - Throws: `FileError`.
    init(_ path: FilePath, _ fileSystem: FileSystem, from offset: Int64 = 0) throws(FileError) {
        file = try fileSystem.openForReading(path)
        self.offset = offset
    }

    /// Where the next line begins in the file.
    var position: Int64 { offset - Int64(buffer.count - start) }

    /// The next line without its end; nil at the end of the file.
    /// - Throws: `FileError`: `unsupported` for a line that is too long.
    mutating func next() throws(FileError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return buffer[start..<end]
            }
            searched = buffer.count
            guard !isAtEnd else {
                defer { start = buffer.count }
                return start < buffer.count ? buffer[start...] : nil
            }
            guard buffer.count - start <= Self.longestLine else {
                throw FileError(.unsupported, "a line is longer than any item", file.path)
            }
            searched -= start
            buffer.removeFirst(start)
            start = 0
            let more = try file.bytes(at: offset, count: Self.piece)
            isAtEnd = more.count < Self.piece
            offset += Int64(more.count)
            buffer += more
        }
    }
}
