import CValiseZlib
import ValiseFiles

/// One run of zlib through deflated bytes, from any point at which a copy of it was kept.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    /// Where in the packed bytes it goes on.
    private(set) var position: Int64
    private(set) var isAtEnd = false

    private static let inputSize = 64 << 10

    /// How far back deflated bytes may point.
    static let historySize = 32 << 10

    /// What one of them takes: zlib's state and its window.
    static let memory = 48 << 10

    /// - Parameters:
    ///   - position: of a block that begins with a whole byte.
    ///   - history: the unpacked bytes before it.
    /// - Returns: nil when zlib has no memory.
    init?(at position: Int64 = 0, history: [UInt8] = []) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        self.position = position
        // Without zlib's own header, as zip has it.
        let result = unsafe inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK,
            unsafe history.isEmpty || inflateSetDictionary(stream, history, UInt32(history.count)) == Z_OK
        else { return nil }
    }

    private init?(copying other: Inflater) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        position = other.position
        isAtEnd = other.isAtEnd
        guard unsafe inflateCopy(stream, other.stream) == Z_OK else { return nil }
    }

    // Also runs where the initializer gives nil; zlib leaves alone what it did not begin.
    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The same state once more, to go on from here later.
    func copy() -> Inflater? { Inflater(copying: self) }

    /// Whether a block has just ended, and with it a whole byte.
    var isBetweenBlocks: Bool {
        // zlib's sign of it, the sign of the last block, and how many bits of a byte are left.
        unsafe stream.pointee.data_type & 128 != 0 && stream.pointee.data_type & 127 == 0
    }

    /// Unpacks until the buffer is full or the data end.
    /// - Returns: how many bytes came.
    /// - Throws: ``ZipError`` for data that are not deflated; errors of the source.
    func read(into output: UnsafeMutableRawBufferPointer, from packed: any ByteSource, entry: String) throws
        -> Int
    {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.inputSize, alignment: 16)
        defer { unsafe input.deallocate() }
        var filled = 0
        while filled < output.count, !isAtEnd {
            let count = try unsafe packed.read(into: input, at: position)
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: input[..<count])
            unsafe filled += try inflate(
                bytes, into: UnsafeMutableRawBufferPointer(rebasing: output[filled...]), entry: entry
            ).produced
            guard count > 0 || isAtEnd else { throw Self.damage(entry) }
        }
        return filled
    }

    /// Unpacks until the input is used up, the output is full, or the data end.
    /// - Throws: ``ZipError`` for data that are not deflated.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, entry: String
    ) throws(ZipError) -> (consumed: Int, produced: Int) {
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let result = unsafe CValiseZlib.inflate(stream, Z_NO_FLUSH)
        let consumed = unsafe input.count - Int(stream.pointee.avail_in)
        let produced = unsafe output.count - Int(stream.pointee.avail_out)
        position += Int64(consumed)
        isAtEnd = result == Z_STREAM_END
        // Nothing to do is not an error here.
        guard isAtEnd || result == Z_OK || result == Z_BUF_ERROR else { throw Self.damage(entry) }
        return (consumed, produced)
    }

    static func damage(_ entry: String) -> ZipError {
        .damaged(.data, "damaged or truncated data", entry: entry)
    }
}
