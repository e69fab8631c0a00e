extension JSONNode {
    /// The document on one line, without spaces. Control characters of all kinds are escaped, as in ``JSONText``.
    package var jsonText: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the document.
    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .text(let text): output.append(jsonText: text)
        case .array(let elements): Self.write(elements, to: &output)
        case .object(let members): Self.write(members, to: &output)
        }
    }

    private static func write(_ elements: [JSONNode], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            element.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [Member], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(jsonText: member.key)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension [UInt8] {
    /// Appends a text with its quotes, control characters of all kinds escaped.
    package mutating func append(jsonText text: String) {
        append(UInt8(ascii: "\""))
        let start = count
        append(contentsOf: text.utf8)
        // Most texts stay as they were appended.
        if let end = firstEscaped(from: start) {
            let rest = Array(self[end...])
            removeLast(rest.count)
            appendEscaped(rest)
        }
        append(UInt8(ascii: "\""))
    }

    /// The first byte that may not stand as it is, or may begin a control character; nil for none.
    private func firstEscaped(from start: Int) -> Int? {
        var position = start
        while true {
            position = endOfJSONRun(from: position, stopsAtNonASCII: true)
            guard position < count else { return nil }
            guard self[position] >= 0x80, ![0xc2, 0xd8, 0xe2].contains(self[position]) else {
                return position
            }
            position += 1
        }
    }

    /// - Parameter text: valid UTF-8.
    private mutating func appendEscaped(_ text: [UInt8]) {
        var position = 0
        while position < text.count {
            let end = text.endOfJSONRun(from: position, stopsAtNonASCII: true)
            append(contentsOf: text[position..<end])
            position = end
            guard position < text.count else { return }
            switch text[position] {
            case UInt8(ascii: "\""): append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): append(contentsOf: #"\\"#.utf8)
            case UInt8(ascii: "\n"): append(contentsOf: #"\n"#.utf8)
            case UInt8(ascii: "\r"): append(contentsOf: #"\r"#.utf8)
            case UInt8(ascii: "\t"): append(contentsOf: #"\t"#.utf8)
            case 8: append(contentsOf: #"\b"#.utf8)
            case 12: append(contentsOf: #"\f"#.utf8)
            case let byte where byte < 32 || byte == 127: appendEscape(UInt16(byte))
            case 0xc2, 0xd8, 0xe2:
                if let (scalar, count) = Self.control(in: text, at: position) {
                    appendEscape(scalar)
                    position += count - 1
                } else {
                    append(text[position])
                }
            case let byte: append(byte)
            }
            position += 1
        }
    }

    private mutating func appendEscape(_ value: UInt16) {
        append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// A control character that is not ASCII, and its bytes: those of `Unicode.Scalar.isControl`.
    private static func control(in text: [UInt8], at position: Int) -> (UInt16, count: Int)? {
        guard position + 1 < text.count else { return nil }
        let (first, second) = (UInt16(text[position]), UInt16(text[position + 1]))
        if first != 0xe2 {
            let value = (first & 0x1f) << 6 | second & 0x3f
            return value < 0xa0 || value == 0x61c ? (value, 2) : nil
        }
        guard position + 2 < text.count else { return nil }
        let value = (first & 0xf) << 12 | (second & 0x3f) << 6 | UInt16(text[position + 2]) & 0x3f
        switch value {
        case 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f: return (value, 3)
        default: return nil
        }
    }
}
