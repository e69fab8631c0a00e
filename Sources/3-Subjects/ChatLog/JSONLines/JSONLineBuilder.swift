import ValiseEncoding

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
        key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
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

    /// A time as RFC 3339 has it; what is no time, as it is stored.
    mutating func field(_ key: StaticString, _ time: ItemTime?) {
        guard let time else { return }
        guard time.value != nil else { return field(key, time.text) }
        self.key(key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(time)
        bytes.append(UInt8(ascii: "\""))
    }

    /// JSON as it is, which must be valid.
    /// - Returns: false, without the field, where it is on several lines.
    mutating func field(_ key: StaticString, json: String) -> Bool {
        let before = (bytes.count, isFirst)
        self.key(key)
        let start = bytes.count
        bytes.append(contentsOf: json.utf8)
        guard bytes.hasLineBreak(from: start) else { return true }
        bytes.removeLast(bytes.count - before.0)
        isFirst = before.1
        return false
    }

    mutating func text(_ text: String) { bytes.append(jsonText: text) }
}

extension ItemTime {
    /// As RFC 3339 has it; what is no time, as it is stored.
    package var jsonText: String {
        guard value != nil else { return text }
        var bytes: [UInt8] = []
        bytes.append(self)
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate static let dateCount = "2026-01-31".utf8.count
}

extension [UInt8] {
    /// Appends a time, which has no characters that JSON would escape.
    fileprivate mutating func append(_ time: ItemTime) {
        let start = count
        append(contentsOf: time.text.utf8)
        guard isLocalTime(from: start) else { return }
        self[start + ItemTime.dateCount] = UInt8(ascii: "T")
        append(UInt8(ascii: "Z"))
    }

    /// Whether it is a date, a space and a time of day without a zone, as the programs store them.
    private func isLocalTime(from start: Int) -> Bool {
        let time = start + ItemTime.dateCount + 1
        guard count >= time + 8, self[time - 1] == UInt8(ascii: " ") else { return false }
        return self[time...].allSatisfy { (0x30...0x3A).contains($0) || $0 == UInt8(ascii: ".") }
    }
}
