import CValiseZlib
import ValiseFiles

/// Unpacks deflated data block by block, from a block in their middle that begins on a whole byte.
@safe final class BlockInflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let packed: any ByteSource
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// Behind the last byte that zlib took, of which it may have left some bits.
    private var position: Int64
    /// Whether the block just read was the last.
    private(set) var isFinal = false
    /// The three bits that begin the next block: whether it is the last, and its kind. Nil where there are none.
    private(set) var nextHeader: UInt8?
    /// Where the next block, if it is stored, has its length.
    private(set) var nextLength: Int64 = 0

    /// - Parameter window: the unpacked bytes before it, up to 32 KiB.
    /// - Returns: nil when zlib has no memory.
    init?(window: [UInt8], _ packed: any ByteSource, at position: Int64) {
        self.packed = packed
        self.position = position
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let started = unsafe inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard started == Z_OK, unsafe inflateSetDictionary(stream, window, UInt32(window.count)) == Z_OK
        else {
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
        unsafe output.deallocate()
    }

    /// Unpacks one block.
    ///
    /// - Parameter most: how long the bytes may become.
    /// - Returns: false for data that are damaged, end too early, or unpack to more.
    /// - Throws: errors of the source.
    func readBlock(into bytes: inout [UInt8], most: Int) throws -> Bool {
        while true {
            let count = try unsafe packed.read(into: input, at: position)
            unsafe stream.pointee.next_in = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_in = UInt32(count)
            unsafe stream.pointee.next_out = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = unsafe UInt32(output.count)
            let result = unsafe inflate(stream, Z_BLOCK)
            unsafe position += Int64(count) - Int64(stream.pointee.avail_in)
            unsafe bytes += output[..<(output.count - Int(stream.pointee.avail_out))]
            guard result == Z_OK || result == Z_STREAM_END, bytes.count <= most else { return false }
            // The type of the data is 128 at the end of a block, 64 more for the last, and how many bits are left.
            let type = unsafe stream.pointee.data_type
            isFinal = result == Z_STREAM_END || type & 192 == 192
            if isFinal { return true }
            if type & 128 != 0 {
                try lookAhead(unused: Int64(type & 7))
                return true
            }
            guard count > 0 else { return false }
        }
    }

    private func lookAhead(unused: Int64) throws {
        let bit = position * 8 - unused
        var bytes: [UInt8] = [0, 0]
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe packed.read(into: $0, at: bit / 8) }
        let end = bit + 3
        nextHeader =
            (end + 7) / 8 - bit / 8 <= Int64(count)
            ? UInt8((UInt16(bytes[0]) | UInt16(bytes[1]) << 8) >> UInt16(bit % 8) & 7) : nil
        nextLength = (end + 7) / 8
    }
}
