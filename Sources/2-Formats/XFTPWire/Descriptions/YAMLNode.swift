/// A part of a YAML text: where it stands, nothing of it is copied.
indirect enum YAMLNode {
    case scalar(YAMLScalar)
    case mapping([(key: YAMLScalar, value: YAMLNode)])
    case sequence([YAMLNode])
    /// What a description has no use for, and what may stand under a key that is ignored: nothing at all, blocks of
    /// text, collections in brackets.
    case other
}

/// A scalar of one line.
struct YAMLScalar {
    enum Style {
        case plain
        case singleQuoted
        case doubleQuoted
    }

    /// In the text, without the quotes.
    let range: Range<Int>
    let style: Style
    /// Whether its bytes differ from what it means.
    let hasEscapes: Bool
}

/// Why a text is not YAML of the kind that is read.
struct YAMLFault: Error {
    let reason: String
    /// From 1.
    let line: Int
}

extension YAMLScalar {
    /// Lends the bytes that the scalar means. They may be secret: a copy that had to be made is wiped.
    func withBytes<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        let raw = unsafe UnsafeRawBufferPointer(rebasing: text[range])
        guard hasEscapes else { return try unsafe body(raw) }
        return try unsafe withUnsafeTemporaryAllocation(byteCount: max(1, raw.count), alignment: 1) {
            memory in
            defer { unsafe memory.withMemoryRebound(to: UInt8.self) { unsafe $0.update(repeating: 0) } }
            guard let count = unsafe unescape(raw, into: memory) else { return nil }
            return try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// - Returns: how many bytes came out, never more than went in; nil for an escape that is not known.
    private func unescape(_ raw: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        var place = 0
        while place < raw.count {
            var byte = unsafe raw[place]
            if style == .singleQuoted, byte == UInt8(ascii: "'") {
                place += 1
            } else if style == .doubleQuoted, byte == UInt8(ascii: "\\") {
                guard place + 1 < raw.count, let meant = unsafe Self.meaning(of: raw[place + 1]) else {
                    return nil
                }
                byte = meant
                place += 1
            }
            unsafe target[count] = byte
            count += 1
            place += 1
        }
        return count
    }

    /// The escapes of one character. Those by number are for characters that no value here has.
    private static func meaning(of escape: UInt8) -> UInt8? {
        switch escape {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: " "): escape
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}
