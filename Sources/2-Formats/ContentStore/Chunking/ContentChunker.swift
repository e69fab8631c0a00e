package import ValiseFiles

/// The chunks of a file, one after the other, with no more of it in memory than the longest chunk and what was read ahead.
///
/// They are the same as those of the whole file in memory.
@safe package struct ContentChunker: ~Copyable {
    private let source: any ByteSource
    private let cutter: FastCDC
    private let buffer: UnsafeMutableRawBufferPointer
    /// What is in the buffer and was not given yet.
    private var pending = 0..<0
    /// How much of the source is in the buffer, or was.
    private var read: Int64 = 0

    /// What is read ahead at least.
    private static let leastReadAhead = 1 << 20

    /// - Parameters:
    ///   - source: what is cut. Its size must not change.
    ///   - sizes: of the chunks.
    package init(_ source: any ByteSource, _ sizes: ChunkSizes) {
        self.source = source
        cutter = FastCDC(sizes)
        // The rest of what was read moves to the start each time: it should not move often.
        let readAhead = max(Self.leastReadAhead, sizes.maximum / 2)
        unsafe buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: sizes.maximum + readAhead, alignment: 4096)
    }

    deinit { unsafe buffer.deallocate() }

    /// Where the next chunk begins in the file, in bytes.
    package var offset: Int64 { read - Int64(pending.count) }

    /// Lends the next chunk. It must not be kept.
    ///
    /// - Returns: what the closure returns; nil behind the last chunk.
    /// - Throws: errors of the source; whatever the closure throws.
    package mutating func next<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
        if pending.count < cutter.sizes.maximum { try fill() }
        guard !pending.isEmpty else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[pending])
        let count = unsafe cutter.firstCut(rest)
        pending = (pending.lowerBound + count)..<pending.upperBound
        return try unsafe body(UnsafeRawBufferPointer(rebasing: rest[..<count]))
    }

    private mutating func fill() throws {
        let missing = source.size - read
        guard missing > 0 else { return }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[pending])
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<rest.count]).copyMemory(from: rest)
        let count = unsafe Int(min(Int64(buffer.count - rest.count), missing))
        pending = 0..<rest.count
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[rest.count..<(rest.count + count)])
        try unsafe source.fill(free, at: read)
        pending = 0..<(rest.count + count)
        read += Int64(count)
    }
}
