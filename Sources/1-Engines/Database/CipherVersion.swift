import CValiseSQLCipher

/// Which SQLCipher is linked.
package enum CipherVersion {
    /// The text of `PRAGMA cipher_version`, such as `4.6.1 community`; nil where plain SQLite answers.
    static func text(_ connection: OpaquePointer) -> String? {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        guard
            unsafe sqlite3_prepare_v2(connection, "PRAGMA cipher_version", -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW, let text = unsafe sqlite3_column_text(statement, 0)
        else { return nil }
        return unsafe String(cString: text)
    }

    /// Whether a version text names 4.5 or newer.
    static func isNewEnough(_ text: String) -> Bool {
        let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2 else { return false }
        return !numbers.lexicographicallyPrecedes(Connection.oldestCipherVersion)
    }

    /// The linked library's version, such as `4.6.1 community`; nil where it is not SQLCipher.
    package static var linked: String? {
        var connection: OpaquePointer?
        defer { unsafe sqlite3_close_v2(connection) }
        guard unsafe sqlite3_open(":memory:", &connection) == SQLITE_OK, let connection = unsafe connection
        else {
            return nil
        }
        return unsafe text(connection)
    }

    /// The version of SQLite inside the linked library.
    package static var sqlite: String { unsafe String(cString: sqlite3_libversion()) }
}
