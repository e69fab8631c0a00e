extension JSONParser {
    /// The string whose opening quote is the next byte; nil where it is not closed, not UTF-8, or has an unknown escape.
    mutating func text() -> String? {
        position += 1
        let start = position
        position = bytes.endOfJSONRun(from: start)
        guard position < bytes.count else { return nil }
        // Without an escape it is a piece of the input.
        guard bytes[position] == UInt8(ascii: "\"") else { return escapedText(from: start) }
        position += 1
        return String(validating: bytes[start..<(position - 1)], as: UTF8.self)
    }

    private mutating func escapedText(from start: Int) -> String? {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                guard appendEscape(to: &text) else { return nil }
            default: return nil
            }
            let end = bytes.endOfJSONRun(from: position)
            text.append(contentsOf: bytes[position..<end])
            position = end
        }
        return nil
    }

    /// What stands for the letter after a backslash.
    private mutating func appendEscape(to text: inout [UInt8]) -> Bool {
        guard position < bytes.count else { return false }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "u"):
            guard let scalar = escapedScalar() else { return false }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: return false
        }
        return true
    }

    /// The scalar of one escape or of a pair; U+FFFD for a half of a pair alone.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let first = codeUnit(at: position) else { return nil }
        position += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u"), let second = codeUnit(at: position + 2),
            (0xdc00...0xdfff).contains(second)
        else { return "\u{fffd}" }
        position += 6
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + UInt32(second) - 0xdc00)
    }

    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt16 = 0
        for byte in bytes[start..<(start + 4)] {
            guard let digit = Hexadecimal.value(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

extension [UInt8] {
    /// The place of the first quote, backslash or control character from `start` on; the count where there is none.
    ///
    /// Previews of pictures are strings of some thousand bytes, so eight are looked at in one step.
    ///
    /// - Parameter stopsAtNonASCII: also at the first byte that is not ASCII, and at DEL.
    func endOfJSONRun(from start: Int, stopsAtNonASCII: Bool = false) -> Int {
        var position = start
        let raw = unsafe span.bytes
        while position + 8 <= count {
            // Any eight bytes are an integer.
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            if word.hasJSONMark(alsoNonASCII: stopsAtNonASCII) { break }
            position += 8
        }
        while position < count {
            let byte = self[position]
            if byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                || stopsAtNonASCII && byte >= 127
            {
                break
            }
            position += 1
        }
        return position
    }
}

extension UInt64 {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Whether one of the eight bytes is a quote, a backslash or a control character. It may see one too many, behind
    /// one that is.
    fileprivate func hasJSONMark(alsoNonASCII: Bool) -> Bool {
        let quotes = self ^ (Self.ones &* 0x22)
        let backslashes = self ^ (Self.ones &* 0x5c)
        var marks = (quotes &- Self.ones) & ~quotes
        marks |= (backslashes &- Self.ones) & ~backslashes
        marks |= (self &- Self.ones &* 0x20) & ~self
        if alsoNonASCII { marks |= self | (self &+ Self.ones) }
        return marks & Self.tops != 0
    }
}
