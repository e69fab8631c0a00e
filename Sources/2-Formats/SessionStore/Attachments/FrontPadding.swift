/// Zeros and one byte 1 before the content of an attachment.
struct FrontPadding {
    /// Whether the byte 1 was found.
    private(set) var hasEnded = false

    /// Where the content begins in the next piece, which is its end where it has none.
    /// - Returns: nil where another byte than 1 ends the zeros.
    mutating func skip(in piece: ArraySlice<UInt8>) -> Int? {
        if hasEnded { return 0 }
        guard let end = piece.firstIndex(where: { $0 != 0 }) else { return piece.count }
        guard piece[end] == 1 else { return nil }
        hasEnded = true
        return end - piece.startIndex + 1
    }
}
