import CValiseSQLCipher

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kinds of values that SQLite tells apart.
package enum StorageClass: Sendable {
    case null
    case integer
    case real
    case text
    case blob
}

extension Statement {
    /// The kind of a value of the current row. Ask before the value is read in another form.
    package borrowing func storageClass(_ index: Int) -> StorageClass {
        switch unsafe sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// Whether a value of the current row is that of another statement's row: of the same kind, and the same bytes.
    ///
    /// Nothing is copied. Both databases must have the same encoding of text.
    package borrowing func hasSameValue(at index: Int, as other: borrowing Statement) -> Bool {
        let column = Int32(index)
        let kind = storageClass(index)
        guard kind == other.storageClass(index) else { return false }
        switch kind {
        case .null: return true
        case .integer:
            return unsafe sqlite3_column_int64(handle, column) == sqlite3_column_int64(other.handle, column)
        case .real:
            let (mine, others) = unsafe (
                sqlite3_column_double(handle, column), sqlite3_column_double(other.handle, column)
            )
            return mine.bitPattern == others.bitPattern
        case .text, .blob:
            let (mine, others) = unsafe (bytes(column), other.bytes(column))
            guard mine.count == others.count else { return false }
            guard let start = mine.baseAddress, let end = others.baseAddress else { return true }
            return unsafe memcmp(start, end, mine.count) == 0
        }
    }
}
