import CValiseDeflate
import ValiseFailures
import ValiseSecrets

/// Descriptions packed by raw DEFLATE (RFC 1951), without leaving a copy in memory that is not wiped.
enum DeflatedText {
    private static let level: Int32 = 9
    private static let smallestSpace = 1 << 14

    static func pack(_ text: borrowing SecretBytes) throws -> SecretBytes {
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else { throw noMemory }
        defer { unsafe libdeflate_free_compressor(compressor) }
        return try unsafe text.withBytes { text in
            try unsafe SecretBytes(capacity: libdeflate_deflate_compress_bound(compressor, text.count)) {
                memory in
                let count = unsafe libdeflate_deflate_compress(
                    compressor, text.baseAddress, text.count, memory.baseAddress, memory.count)
                guard count > 0 else { throw noMemory }
                return count
            }
        }
    }

    /// - Throws: ``XFTPWireError``: `damaged` also for what becomes larger than any description.
    static func unpack(_ packed: borrowing SecretBytes) throws -> SecretBytes {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else { throw noMemory }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var available = max(smallestSpace, packed.count * 2)
        while true {
            available = min(available, FileDescription.largestYAML)
            if let text = try unsafe unpack(packed, decompressor, available: available) { return text }
            guard available < FileDescription.largestYAML else {
                throw XFTPWireError.link("the description is too large")
            }
            available *= 4
        }
    }

    /// - Returns: nil for too little space.
    private static func unpack(
        _ packed: borrowing SecretBytes, _ decompressor: OpaquePointer, available: Int
    ) throws -> SecretBytes? {
        try unsafe packed.withBytes { packed in
            var isTooSmall = false
            let text = try unsafe SecretBytes(capacity: available) { memory in
                var consumed = 0
                var produced = 0
                switch unsafe libdeflate_deflate_decompress_ex(
                    decompressor, packed.baseAddress, packed.count, memory.baseAddress, memory.count,
                    &consumed,
                    &produced)
                {
                case LIBDEFLATE_SUCCESS where consumed == packed.count: return produced
                case LIBDEFLATE_INSUFFICIENT_SPACE:
                    isTooSmall = true
                    return 0
                default: throw XFTPWireError.link("the part after # cannot be decompressed")
                }
            }
            if isTooSmall { return nil }
            return text
        }
    }

    private static var noMemory: XFTPWireError {
        XFTPWireError(.failed, "out of memory while compressing a link")
    }
}
