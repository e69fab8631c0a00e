import CValisePostgres
import ValiseFailures

/// A value of an answer.
package enum PostgresValue: Sendable, Hashable {
    case null
    /// `smallint`, `integer`, `bigint`, `oid`
    case integer(Int64)
    case boolean(Bool)
    /// `text`, `varchar`, `char`, `name`
    case text(String)
    /// `bytea`
    case bytes([UInt8])
}

/// What a statement has answered.
package struct PostgresRows: Sendable {
    package let columns: [String]
    /// How many rows were changed or found.
    package let affected: Int
    /// What the server says was done, such as `INSERT 0 1`.
    package let tag: String
    private let values: [PostgresValue]
    /// How many rows there are.
    package let count: Int

    init(columns: [String], affected: Int, tag: String, values: [PostgresValue], count: Int) {
        self.columns = columns
        self.affected = affected
        self.tag = tag
        self.values = values
        self.count = count
    }

    package var isEmpty: Bool { count == 0 }
    /// The first row; nil where there is none.
    package var first: PostgresRow? { isEmpty ? nil : self[0] }

    /// A row by its number, from 0, which has to exist.
    package subscript(index: Int) -> PostgresRow {
        PostgresRow(columns: columns, values: values[index * columns.count..<(index + 1) * columns.count])
    }
}

extension PostgresRows: Sequence {
    package func makeIterator() -> some IteratorProtocol<PostgresRow> {
        (0..<count).lazy.map { self[$0] }.makeIterator()
    }
}

/// A row of an answer, whose columns are counted from 0.
package struct PostgresRow: Sendable {
    private let columns: [String]
    private let values: ArraySlice<PostgresValue>

    init(columns: [String], values: ArraySlice<PostgresValue>) {
        self.columns = columns
        self.values = values
    }

    /// - Throws: ``PostgresError``: `invalid` for a column that does not exist.
    package func value(_ column: Int) throws(PostgresError) -> PostgresValue {
        guard values.indices.contains(values.startIndex + column) else {
            throw PostgresError(.general, .invalid, "an answer of the database has no column \(column)")
        }
        return values[values.startIndex + column]
    }

    /// - Throws: ``PostgresError``: `damaged` for null and any other kind of value, as those below.
    package func integer(_ column: Int) throws(PostgresError) -> Int64 {
        guard case .integer(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    /// A number, or nil for null.
    package func integerIfAny(_ column: Int) throws(PostgresError) -> Int64? {
        try value(column) == .null ? nil : integer(column)
    }

    package func boolean(_ column: Int) throws(PostgresError) -> Bool {
        guard case .boolean(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    package func text(_ column: Int) throws(PostgresError) -> String {
        guard case .text(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    /// A text, or nil for null.
    package func textIfAny(_ column: Int) throws(PostgresError) -> String? {
        try value(column) == .null ? nil : text(column)
    }

    package func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
        guard case .bytes(let value) = try value(column) else { throw unexpected(column) }
        return value
    }

    /// Bytes, or nil for null.
    package func bytesIfAny(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try value(column) == .null ? nil : bytes(column)
    }

    private func unexpected(_ column: Int) -> PostgresError {
        let name = columns.indices.contains(column) ? PostgresError.line(columns[column]) : "\(column)"
        return PostgresError(
            .general, .damaged,
            "column \(name) of an answer of the database has no value of the expected type")
    }
}
