/// Reads one JSON document from its bytes.
///
/// What is no JSON is nil, without a place: nobody repairs a row of another program by hand, and errors would cost more than
/// the rest of the work.
struct JSONParser {
    /// Deeper documents are refused: each level takes some of the stack.
    private static let mostLevels = 100

    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value that is all of the bytes.
    mutating func document() -> JSONNode? {
        guard let node = value(level: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? node : nil
    }

    /// The next byte; 0 at the end, which no token begins with.
    private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0a, 0x0d, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value(level: Int) -> JSONNode? {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "{"): return level < Self.mostLevels ? object(level: level + 1) : nil
        case UInt8(ascii: "["): return level < Self.mostLevels ? array(level: level + 1) : nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "t"): return word("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return nil
        }
    }

    private mutating func word(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func object(level: Int) -> JSONNode? {
        position += 1
        skipSpace()
        var members: [JSONNode.Member] = []
        if next == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\""), let key = text() else { return nil }
            skipSpace()
            guard next == UInt8(ascii: ":") else { return nil }
            position += 1
            guard let value = value(level: level) else { return nil }
            members.append(JSONNode.Member(key, value))
            guard let more = hasMore(until: UInt8(ascii: "}")) else { return nil }
            if !more { return .object(members) }
        }
    }

    private mutating func array(level: Int) -> JSONNode? {
        position += 1
        skipSpace()
        var elements: [JSONNode] = []
        if next == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            guard let element = value(level: level) else { return nil }
            elements.append(element)
            guard let more = hasMore(until: UInt8(ascii: "]")) else { return nil }
            if !more { return .array(elements) }
        }
    }

    /// Passes over a comma, or over the end; nil where neither is.
    private mutating func hasMore(until end: UInt8) -> Bool? {
        skipSpace()
        let byte = next
        guard byte == UInt8(ascii: ",") || byte == end else { return nil }
        position += 1
        return byte != end
    }

    // MARK: Numbers

    private mutating func number() -> JSONNode? {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
        } else if !skipDigits() {
            return nil
        }
        if next == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() else { return nil }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// - Returns: whether there was one.
    private mutating func skipDigits() -> Bool {
        let start = position
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = next { position += 1 }
        return position > start
    }
}
