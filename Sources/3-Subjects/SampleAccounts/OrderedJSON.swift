/// JSON whose fields keep the order they were given in, as in the columns that the core writes.
///
/// `JSONText` sorts keys and goes through an encoder, which is too slow for a million messages.
enum OrderedJSON: Sendable {
    case text(String)
    case number(Int)
    case bool(Bool)
    case null
    case list([OrderedJSON])
    case object([(String, OrderedJSON)])
    /// Written as it is, also where it is no JSON.
    case raw(String)

    /// The single-field form of a sum in the database: `{"name":{…}}`.
    static func one(_ name: String, _ fields: OrderedJSON = .object([])) -> OrderedJSON {
        .object([(name, fields)])
    }

    /// One line without spaces.
    var line: String {
        var line = ""
        append(to: &line)
        return line
    }

    private func append(to line: inout String) {
        switch self {
        case .text(let text): Self.appendQuoted(text, to: &line)
        case .number(let number): line += String(number)
        case .bool(let bool): line += bool ? "true" : "false"
        case .null: line += "null"
        case .raw(let text): line += text
        case .list(let values):
            line += "["
            for (index, value) in values.enumerated() {
                if index > 0 { line += "," }
                value.append(to: &line)
            }
            line += "]"
        case .object(let fields):
            line += "{"
            for (index, (name, value)) in fields.enumerated() {
                if index > 0 { line += "," }
                Self.appendQuoted(name, to: &line)
                line += ":"
                value.append(to: &line)
            }
            line += "}"
        }
    }

    private static func appendQuoted(_ text: String, to line: inout String) {
        line += "\""
        if text.utf8.contains(where: { $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for scalar in text.unicodeScalars { line += escaped(scalar) }
        } else {
            line += text
        }
        line += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where scalar.value < 32:
            return "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: return String(scalar)
        }
    }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension OrderedJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(dictionaryLiteral elements: (String, OrderedJSON)...) { self = .object(elements) }
    init(arrayLiteral elements: OrderedJSON...) { self = .list(elements) }
}
