import CValiseZlib

/// zlib's own functions in one call, to forge archives and to compare with.
public enum Deflate {
    /// CRC-32 as zip has it.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(crc32(0, bytes, UInt32(bytes.count)))
    }

    /// Raw deflated data; nil where zlib fails.
    public static func pack(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
                == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let available = Int(deflateBound(&stream, UInt(bytes.count)))
        return run(&stream, bytes, available: available) { deflate($0, Z_FINISH) }
    }

    /// What raw deflated data unpack to; nil where they are damaged, do not end, or need more than `most` bytes.
    ///
    /// - Parameter isExact: whether nothing may follow them.
    public static func unpack(_ bytes: [UInt8], most: Int, isExact: Bool = true) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        let content = run(&stream, bytes, available: most) { inflate($0, Z_FINISH) }
        return isExact && stream.avail_in > 0 ? nil : content
    }

    private static func run(
        _ stream: inout z_stream, _ bytes: [UInt8], available: Int,
        _ step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> [UInt8]? {
        var isIntact = false
        let result = [UInt8](unsafeUninitializedCapacity: available) { memory, count in
            var bytes = bytes
            bytes.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = memory.baseAddress
                stream.avail_out = UInt32(available)
                isIntact = step(&stream) == Z_STREAM_END
                count = available - Int(stream.avail_out)
            }
        }
        return isIntact ? result : nil
    }
}
