import ValiseFiles

/// Goes through a part of a source in pieces of one buffer.
enum SourcePieces {
    /// In bytes: a multiple of 64, as ciphers want it.
    static let size = 128 << 10

    /// - Parameters:
    ///   - source: what is read.
    ///   - range: of its bytes.
    ///   - body: gets each piece in the buffer, which it may change.
    /// - Throws: errors of the source; whatever `body` throws.
    static func read(
        _ source: any ByteSource, _ range: Range<Int64>,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let capacity = Int(min(Int64(size), Int64(range.count)))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 64)
        defer { unsafe buffer.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let count = Int(min(Int64(capacity), range.upperBound - position))
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try unsafe source.fill(piece, at: position)
            try unsafe body(piece)
            position += Int64(count)
        }
    }

    /// A few bytes of a known place.
    /// - Throws: errors of the source, such as that of a file that shrank.
    static func bytes(_ source: any ByteSource, at offset: Int64, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try unsafe bytes.withUnsafeMutableBytes { try unsafe source.fill($0, at: offset) }
        return bytes
    }
}
