/// Content that is followed by zeros, and cut to the size that its message says.
struct CutContent {
    /// 0 where the message says none: then all is content, unless all of it is zeros.
    let size: Int64
    /// How many bytes there were, with the zeros.
    private(set) var total: Int64 = 0
    private var isZero = true

    init(size: Int64) { self.size = size }

    /// Passes on what is content.
    mutating func take(
        _ piece: UnsafeRawBufferPointer, _ take: AttachmentReader.Taking
    ) throws {
        let left = size == 0 ? Int64(piece.count) : min(Int64(piece.count), max(0, size - total))
        total += Int64(piece.count)
        if size == 0, isZero { isZero = unsafe piece.allSatisfy { $0 == 0 } }
        if left > 0 { try unsafe take(UnsafeRawBufferPointer(rebasing: piece[..<Int(left)])) }
    }

    /// The size of the content; nil where there is less than the message says.
    var length: Int64? {
        guard size == 0 else { return total >= size ? size : nil }
        return isZero ? 0 : total
    }
}
