import CValiseSQLCipher

/// The storage class of a value.
package enum ValueKind: Sendable {
    case null, integer, real, text, blob
}

extension Statement {
    /// Of which storage class a value of the current row is: without the value.
    package borrowing func kind(_ index: Int) -> ValueKind {
        switch unsafe sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }
}
