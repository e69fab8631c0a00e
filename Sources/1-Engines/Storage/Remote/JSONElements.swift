import ValiseEncoding

/// The elements of a JSON array one after the other: a list of a million files as one tree would take a gigabyte.
struct JSONElements {
    private let bytes: [UInt8]
    private var position = 0
    private var isFirst = true
    /// Whether the array was read to its end, and nothing is behind it.
    private(set) var isComplete = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil at the end, and for what is no array; ``isComplete`` says which.
    mutating func next() -> JSONNode? {
        guard !isComplete else { return nil }
        if isFirst, !begin() { return nil }
        skipSpaces()
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "]") {
            // A comma before it was passed over with the element that it should have followed.
            guard isFirst || bytes[lastMark] != UInt8(ascii: ",") else { return nil }
            position += 1
            isComplete = isAtEnd()
            return nil
        }
        isFirst = false
        let start = position
        guard passElement(), let node = JSONNode(parsing: Array(bytes[start..<position])) else { return nil }
        skipSpaces()
        guard position < bytes.count else { return nil }
        lastMark = position
        if bytes[position] == UInt8(ascii: ",") {
            position += 1
        } else if bytes[position] != UInt8(ascii: "]") {
            return nil
        }
        return node
    }

    /// Where the comma or the bracket behind the last element is.
    private var lastMark = 0

    /// Servers in Go write null for a list without elements.
    private mutating func begin() -> Bool {
        skipSpaces()
        if bytes[position...].starts(with: Array("null".utf8)) {
            position += 4
            isComplete = isAtEnd()
            return false
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else { return false }
        position += 1
        return true
    }

    private mutating func isAtEnd() -> Bool {
        skipSpaces()
        return position == bytes.count
    }

    private mutating func skipSpaces() {
        while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { position += 1 }
    }

    /// Passes over all up to a comma or bracket of the array itself. Whether it is JSON, the parser decides.
    private mutating func passElement() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard passText() else { return false }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return true }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { return true }
            default: break
            }
            position += 1
        }
        return false
    }

    private mutating func passText() -> Bool {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        return position <= bytes.count
    }
}
