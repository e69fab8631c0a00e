package import ValiseDatabase
import ValiseEncoding
import ValiseFailures

/// JSON lines: an object for each row. Bytes are `{"$base64":"…"}`, so that they are no text.
package final class JSONRows: RowWriter {
    private let output: (String) throws -> Void
    private var keys: [String] = []

    /// - Parameter output: gets the text, piece by piece.
    package init(_ output: @escaping (String) throws -> Void) {
        self.output = output
    }

    package func begin(_ columns: [String]) throws {
        keys = Self.distinct(columns).map { JSONLiteral.string($0) }
    }

    /// A key stands once in an object: further columns of a name get a number, as in `id:1`.
    static func distinct(_ columns: [String]) -> [String] {
        var used = Set<String>()
        return columns.map { column in
            var name = column
            var number = 0
            while !used.insert(name).inserted {
                number += 1
                name = "\(column):\(number)"
            }
            return name
        }
    }

    package func write(_ row: [Value]) throws {
        let fields = zip(keys, row).map { "\($0):\(JSONLiteral.value($1))" }
        try output("{\(fields.joined(separator: ","))}\n")
    }

    package func end() {}
}

/// JSON of single values.
enum JSONLiteral {
    static func value(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): real(number)
        case .text(let text): string(text)
        case .blob(let bytes): "{\"$base64\":\"\(Base64.encode(bytes))\"}"
        }
    }

    /// JSON has no infinity; a number that large is read as one.
    private static func real(_ number: Double) -> String {
        guard number.isFinite else { return number > 0 ? "1e999" : "-1e999" }
        return "\(number)"
    }

    static func string(_ text: String) -> String {
        // Most text needs nothing.
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 && $0 != 34 && $0 != 92 }) { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
