import CValiseSQLCipher

/// What a column's value can be read as.
package protocol ColumnValue: Sendable {
    /// What stands in for it while a row's columns are only asked for.
    static var placeholder: Self { get }

    /// What it is called in an error, such as `a number`.
    static var meaning: String { get }

    /// Nil where the value is of another kind. NULL never gets here.
    init?(_ value: Value)

    /// Reads a column of the current row that is not NULL, without a ``Value`` in between where it is of the kind that is
    /// stored; nil where it is of another one.
    static func read(_ statement: OpaquePointer?, _ column: Int32) -> Self?
}

extension Int64: ColumnValue {
    package static var placeholder: Int64 { 0 }
    package static var meaning: String { "a number" }

    package init?(_ value: Value) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }

    package static func read(_ statement: OpaquePointer?, _ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(statement, column)
    }
}

extension Bool: ColumnValue {
    package static var placeholder: Bool { false }
    package static var meaning: String { "a number" }

    package init?(_ value: Value) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }

    package static func read(_ statement: OpaquePointer?, _ column: Int32) -> Bool? {
        unsafe Int64.read(statement, column).map { $0 != 0 }
    }
}

extension String: ColumnValue {
    package static var placeholder: String { "" }
    package static var meaning: String { "text" }

    /// As SQLite's own conversion to text: tables that are not strict may hold text as a blob.
    package init?(_ value: Value) {
        switch value {
        case .text(let text): self = text
        case .blob(let bytes): self.init(decoding: bytes, as: UTF8.self)
        case .integer(let number): self.init(number)
        case .real(let number): self.init(number)
        case .null: return nil
        }
    }

    package static func read(_ statement: OpaquePointer?, _ column: Int32) -> String? {
        if unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT {
            return unsafe String(decoding: Statement.bytes(of: statement, column), as: UTF8.self)
        }
        return String(unsafe Statement.value(of: statement, Int(column)))
    }
}

extension [UInt8]: ColumnValue {
    package static var placeholder: [UInt8] { [] }
    package static var meaning: String { "a blob" }

    /// Tables that are not strict may hold a blob as text.
    package init?(_ value: Value) {
        switch value {
        case .blob(let bytes): self = bytes
        case .text(let text): self = Array(text.utf8)
        default: return nil
        }
    }

    package static func read(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8]? {
        [UInt8](unsafe Statement.value(of: statement, Int(column)))
    }
}
