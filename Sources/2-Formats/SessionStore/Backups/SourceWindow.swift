import ValiseFiles

/// A stretch of a source in memory: a backup has a small piece every few kilobytes, and each would be a call of the system.
final class SourceWindow {
    let source: any ByteSource
    private let size: Int
    private var bytes: [UInt8] = []
    private var start: Int64 = 0

    /// - Parameter size: so much is read at once, in bytes.
    init(_ source: any ByteSource, size: Int) {
        self.source = source
        self.size = size
    }

    /// Lends some bytes.
    /// - Returns: nil where the source ends before.
    /// - Throws: an error of the source; whatever `body` throws.
    func withBytes<Result>(
        at offset: Int64, count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        guard count <= source.size - offset else { return nil }
        if offset < start || offset + Int64(count) > start + Int64(bytes.count) {
            let wanted = min(Int64(max(count, self.size)), source.size - offset)
            bytes = try source.bytes(at: offset, upTo: Int(wanted))
            start = offset
            guard bytes.count >= count else { return nil }
        }
        let first = Int(offset - start)
        return try unsafe bytes.withUnsafeBytes {
            try unsafe body(UnsafeRawBufferPointer(rebasing: $0[first..<first + count]))
        }
    }

    /// An integer, little endian.
    /// - Parameter width: at most 8 bytes.
    /// - Returns: nil where the source ends before.
    /// - Throws: an error of the source.
    func number(at offset: Int64, width: Int) throws -> UInt64? {
        try unsafe withBytes(at: offset, count: width) { bytes in
            unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
