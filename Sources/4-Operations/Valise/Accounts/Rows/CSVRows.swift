package import ValiseDatabase
import ValiseEncoding

/// RFC 4180 with a header. NULL is nothing, empty text is `""`, bytes are base64.
package final class CSVRows: RowWriter {
    private let output: (String) throws -> Void

    /// - Parameter output: gets the text, piece by piece.
    package init(_ output: @escaping (String) throws -> Void) {
        self.output = output
    }

    package func begin(_ columns: [String]) throws {
        try line(columns.map { CSVField.text($0) })
    }

    package func write(_ row: [Value]) throws {
        try line(row.map(Self.field))
    }

    package func end() throws {}

    private func line(_ fields: [String]) throws {
        // A line with nothing in it is no record to many readers.
        let text = fields == [""] ? "\"\"" : fields.joined(separator: ",")
        try output(text + "\r\n")
    }

    private static func field(_ value: Value) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): "\(number)"
        case .text(let text): CSVField.text(text)
        case .blob(let bytes): Base64.encode(bytes)
        }
    }
}
