/// How a passphrase stands on paper: lines of groups of signs.
///
/// Bytes of printable ASCII stand for themselves. As soon as there is any other byte, that one, the backslash
/// and the quote are written as `\xNN`, so that there is only one way to read the sheet, and the shell can
/// read it too. It holds positions, no bytes.
struct PassphraseLayout {
    struct Line {
        /// Ranges of the passphrase's bytes, drawn with a gap between.
        var groups: [Range<Int>]
        var columns: Int
    }

    private(set) var lines: [Line] = []
    let isEscaped: Bool
    let hasSpaces: Bool
    let byteCount: Int

    /// How many signs a line has at most, gaps included.
    static let widest = 49
    /// So many signs can be kept in mind on the way from paper to keyboard.
    private static let groupLength = 4

    init(_ bytes: UnsafeRawBufferPointer) {
        byteCount = bytes.count
        isEscaped = unsafe bytes.contains { !(0x20...0x7E).contains($0) }
        hasSpaces = unsafe bytes.contains(UInt8(ascii: " "))
        var line = Line(groups: [], columns: 0)
        var start = 0
        while start < bytes.count {
            let end = unsafe groupEnd(from: start, bytes)
            let width = (start..<end).reduce(0) { unsafe $0 + columns(of: bytes[$1]) }
            let gap = line.groups.isEmpty ? 0 : 1
            if line.columns + gap + width > Self.widest {
                lines.append(line)
                line = Line(groups: [start..<end], columns: width)
            } else {
                line.groups.append(start..<end)
                line.columns += gap + width
            }
            start = end
        }
        if !line.groups.isEmpty { lines.append(line) }
    }

    /// With spaces in it, it is words: those are not cut into groups, or the gaps would be taken for spaces.
    private func groupEnd(from start: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var (end, width) = (start, 0)
        while end < bytes.count {
            unsafe width += columns(of: bytes[end])
            if hasSpaces ? width > Self.widest : end - start == Self.groupLength { break }
            end += 1
        }
        return end
    }

    func isPlain(_ byte: UInt8) -> Bool {
        guard (0x20...0x7E).contains(byte) else { return false }
        return !isEscaped || (byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "'"))
    }

    private func columns(of byte: UInt8) -> Int { isPlain(byte) ? 1 : 4 }

    /// Calls with each sign of a line and the column where it stands.
    func forEachSign(
        of line: Line, _ bytes: UnsafeRawBufferPointer, _ body: (_ sign: UInt8, _ column: Int) -> Void
    ) {
        var column = 0
        for group in line.groups {
            for index in unsafe bytes[group].indices {
                let byte = unsafe bytes[index]
                if isPlain(byte) {
                    body(byte, column)
                    column += 1
                } else {
                    body(UInt8(ascii: "\\"), column)
                    body(UInt8(ascii: "x"), column + 1)
                    body(Self.digit(byte >> 4), column + 2)
                    body(Self.digit(byte & 15), column + 3)
                    column += 4
                }
            }
            column += 1
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
