import CZlib
import Files

/// One run of zlib through deflated bytes, from any point at which a copy of it was kept.
final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    /// Where in the packed bytes it goes on.
    private(set) var position: Int64
    private(set) var isAtEnd = false

    private static let inputSize = 64 << 10

    /// What one of them takes: zlib's state and its window.
    static let memory = 48 << 10

    /// - Returns: nil when zlib has no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        position = 0
        // Without zlib's own header, as zip has it.
        let result = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    private init?(copying other: Inflater) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        position = other.position
        isAtEnd = other.isAtEnd
        guard inflateCopy(stream, other.stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The same state once more, to go on from here later.
    func copy() -> Inflater? { Inflater(copying: self) }

    /// Unpacks until the buffer is full or the data end.
    /// - Returns: how many bytes came.
    /// - Throws: ``ZipError`` for data that are not deflated; errors of the source.
    func read(into output: UnsafeMutableRawBufferPointer, from packed: any ByteSource, entry: String) throws
        -> Int
    {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.inputSize, alignment: 16)
        defer { input.deallocate() }
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        while stream.pointee.avail_out > 0, !isAtEnd {
            let count = try packed.read(into: input, at: position)
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(count)
            let result = inflate(stream, Z_NO_FLUSH)
            position += Int64(count) - Int64(stream.pointee.avail_in)
            isAtEnd = result == Z_STREAM_END
            guard isAtEnd || result == Z_OK, count > 0 || isAtEnd else {
                throw ZipError.damaged(.data, "its data are damaged or end too early", entry: entry)
            }
        }
        return output.count - Int(stream.pointee.avail_out)
    }
}
