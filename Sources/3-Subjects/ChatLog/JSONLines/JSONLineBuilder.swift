/// Builds an object of JSON as bytes, without a value in between: a million items take seconds.
struct JSONLineBuilder {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    init() { bytes.reserveCapacity(1024) }

    /// Makes ready for another line; the memory stays.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
    }

    // MARK: Structure

    mutating func beginObject() { begin("{") }
    mutating func beginArray() { begin("[") }

    private mutating func begin(_ mark: Unicode.Scalar) {
        bytes.append(UInt8(ascii: mark))
        isFirst = true
    }

    mutating func endObject() { end("}") }
    mutating func endArray() { end("]") }

    private mutating func end(_ mark: Unicode.Scalar) {
        bytes.append(UInt8(ascii: mark))
        isFirst = false
    }

    /// Goes on to the next element of an array.
    mutating func next() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    mutating func key(_ key: StaticString) {
        next()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    // MARK: Values

    mutating func field(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        text(value)
    }

    mutating func field(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Only what is true is written.
    mutating func flag(_ key: StaticString, _ value: Bool) {
        guard value else { return }
        self.key(key)
        bytes.append(contentsOf: "true".utf8)
    }

    /// Whether JSON can stand within a line as it is.
    static func isOneLine(_ json: String) -> Bool { !json.utf8.contains { $0 == 0x0A || $0 == 0x0D } }

    /// JSON as it is. It must be valid and on one line.
    mutating func raw(_ json: String) { bytes.append(contentsOf: json.utf8) }

    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices {
                let byte = utf8[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
                bytes.append(contentsOf: utf8[start..<index])
                escape(byte)
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
    }
}
