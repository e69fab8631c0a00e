/// What a column's value can be read as.
package protocol ColumnValue: Sendable {
    /// What stands in for it while a row's columns are only asked for.
    static var placeholder: Self { get }

    /// What it is called in an error, such as `a number`.
    static var meaning: String { get }

    /// Nil where the value is of another kind. NULL never gets here.
    init?(_ value: Value)
}

extension Int64: ColumnValue {
    package static var placeholder: Int64 { 0 }
    package static var meaning: String { "a number" }

    package init?(_ value: Value) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

extension Bool: ColumnValue {
    package static var placeholder: Bool { false }
    package static var meaning: String { "a number" }

    package init?(_ value: Value) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
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
}
