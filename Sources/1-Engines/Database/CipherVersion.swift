import CValiseSQLCipher

/// Which SQLCipher is linked.
package enum CipherVersion {
    /// The text of `PRAGMA cipher_version`, such as `4.6.1 community`; nil where plain SQLite answers.
    static func text(_ connection: OpaquePointer) -> String? {
        unsafe answer("PRAGMA cipher_version", connection)
    }

    private static func answer(_ query: String, _ connection: OpaquePointer) -> String? {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        guard
            unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW, let text = unsafe sqlite3_column_text(statement, 0)
        else { return nil }
        return unsafe String(cString: text)
    }

    /// Whether a version text names 4.5 or newer.
    package static func isNewEnough(_ text: String) -> Bool {
        let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2 else { return false }
        return !numbers.lexicographicallyPrecedes(Connection.oldestCipherVersion)
    }

    /// The linked library's version, such as `4.6.1 community`; nil where it is not SQLCipher.
    package static var linked: String? { unsafe inMemory { unsafe text($0) } }

    /// The library that encrypts for it, such as `OpenSSL 3.0.15 3 Sep 2024`; nil where it does not tell.
    package static var provider: String? {
        unsafe inMemory {
            // It answers once there is a key, which derives nothing before a page is read.
            guard unsafe sqlite3_key($0, "x", 1) == SQLITE_OK else { return nil }
            return unsafe answer("PRAGMA cipher_provider_version", $0)
        }
    }

    private static func inMemory(_ ask: (OpaquePointer) -> String?) -> String? {
        var connection: OpaquePointer?
        defer { unsafe sqlite3_close_v2(connection) }
        guard unsafe sqlite3_open(":memory:", &connection) == SQLITE_OK, let connection = unsafe connection
        else { return nil }
        return unsafe ask(connection)
    }

    /// The version of SQLite inside the linked library.
    package static var sqlite: String { unsafe String(cString: sqlite3_libversion()) }
}
