import ValiseEncoding
import ValiseStorage

extension RecordReader {
    /// A string in UTF-8, at most `limit` bytes. As in Go, bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD.
    mutating func string(limit: Int) throws(RepositoryError) -> [UInt8] {
        try take(UInt8(ascii: "\""))
        var text: [UInt8] = []
        var isASCII = true
        while true {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
                bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 32
            {
                if bytes[position] >= 0x80 { isASCII = false }
                position += 1
            }
            text.append(contentsOf: bytes[start..<position])
            guard text.count <= limit else { throw damage("text too long") }
            switch next {
            case UInt8(ascii: "\""):
                position += 1
                return isASCII ? text : Self.repaired(text)
            case UInt8(ascii: "\\"):
                position += 1
                try appendEscape(to: &text)
            default: throw damage(position < bytes.count ? "control character" : "unfinished text")
            }
        }
    }

    /// As ``string(limit:)``.
    mutating func text(limit: Int = 65_536) throws(RepositoryError) -> String {
        String(decoding: try string(limit: limit), as: UTF8.self)
    }

    private static func repaired(_ text: [UInt8]) -> [UInt8] {
        if String(validating: text, as: UTF8.self) != nil { return text }
        var repaired: [UInt8] = []
        var place = 0
        while place < text.count {
            if let rune = Rune(text, at: place) {
                repaired.append(contentsOf: text[place..<place + rune.size])
                place += rune.size
            } else {
                repaired.append(contentsOf: [0xef, 0xbf, 0xbd])
                place += 1
            }
        }
        return repaired
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(RepositoryError) {
        guard position < bytes.count else { throw damage("unfinished text") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "u"): try text.append(contentsOf: String(escapedScalar()).utf8)
        default: throw damage("unknown escape")
        }
    }

    /// The scalar of one escape or of a pair; U+FFFD for a half of a pair alone.
    private mutating func escapedScalar() throws(RepositoryError) -> Unicode.Scalar {
        guard let first = codeUnit(at: position) else { throw damage("four digits expected") }
        position += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u"), let second = codeUnit(at: position + 2),
            (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
        else { return "\u{fffd}" }
        position += 6
        return scalar
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

    /// The name of a field.
    mutating func key() throws(RepositoryError) -> RecordKey {
        skipSpace()
        let start = position + 1
        guard next == UInt8(ascii: "\"") else { throw damage("name expected") }
        var end = start
        while end < bytes.count, bytes[end] > 32, bytes[end] < 0x80, bytes[end] != UInt8(ascii: "\""),
            bytes[end] != UInt8(ascii: "\\")
        { end += 1 }
        // Anything but a simple name is read as every other text.
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            return RecordKey(try string(limit: bytes.count))
        }
        position = end + 1
        return RecordKey(bytes[start..<end])
    }

    /// An identifier of 64 digits in lower case.
    mutating func id() throws(RepositoryError) -> ContentID {
        try take(UInt8(ascii: "\""))
        guard bytes.count - position > 64, bytes[position + 64] == UInt8(ascii: "\"") else {
            throw damage("64 digits expected")
        }
        let words = try (word(), word(), word(), word())
        position += 1
        return ContentID(words: words)
    }

    /// Sixteen digits. Digests are random, so that a branch for each digit would be guessed wrongly half of the time.
    private mutating func word() throws(RepositoryError) -> UInt64 {
        var word: UInt64 = 0
        var wrong: UInt8 = 0
        for byte in bytes[position..<position + 16] {
            // Letters have the seventh bit.
            let value = (byte & 15) &+ 9 &* (byte >> 6)
            let expected = value &+ (value > 9 ? UInt8(ascii: "a") - 10 : UInt8(ascii: "0"))
            wrong |= expected ^ byte | value & 0xf0
            word = word << 4 | UInt64(value)
        }
        guard wrong == 0 else { throw damage("64 digits expected") }
        position += 16
        return word
    }

    /// Bytes as base 64 (RFC 4648, section 4).
    mutating func base64(limit: Int) throws(RepositoryError) -> [UInt8] {
        let text = try string(limit: limit / 3 * 4 + 4)
        var translated: [UInt8] = []
        translated.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case UInt8(ascii: "+"): translated.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): translated.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): throw damage("base 64 expected")
            default: translated.append(byte)
            }
        }
        guard text.count % 4 == 0,
            let bytes = Base64URL.decode(String(decoding: translated, as: UTF8.self))
        else { throw damage("base 64 expected") }
        return bytes
    }
}
