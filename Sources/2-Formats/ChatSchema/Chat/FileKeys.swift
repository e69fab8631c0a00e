package import ValiseDatabase

/// Reads the keys of rows of the table `files`, without a copy.
package struct FileKeyReader: ~Copyable {
    private let rows: Statement

    /// - Throws: `DatabaseError` where the table has no columns for keys.
    package init(_ connection: borrowing Connection) throws(DatabaseError) {
        rows = try connection.prepare(
            """
            SELECT file_crypto_key, file_crypto_nonce FROM files
            WHERE file_id = ? AND file_crypto_key IS NOT NULL AND file_crypto_nonce IS NOT NULL
            """)
    }

    /// Lends key and nonce of a row; not called where it lacks one of them.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package borrowing func withKeys(
        of fileID: Int64, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try rows.bind([.integer(fileID)])
        guard try rows.step() else { return }
        try unsafe rows.withBytes(0) { key in
            try unsafe rows.withBytes(1) { try unsafe body(key, $0) }
        }
    }
}

/// Writes keys into rows of the table `files`, or takes them away.
package final class FileKeyWriter {
    private let statement: Statement

    /// - Throws: `DatabaseError` where the table has no columns for keys.
    package init(_ connection: borrowing Connection) throws(DatabaseError) {
        statement = try connection.prepare(
            """
            UPDATE files SET file_crypto_key = ?, file_crypto_nonce = ?,
                updated_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE file_id = ?
            """)
    }

    /// Takes key and nonce away.
    /// - Throws: `DatabaseError`.
    package func clear(_ fileID: Int64) throws(DatabaseError) {
        try statement.bind([.null, .null, .integer(fileID)])
        _ = try statement.step()
    }

    /// Writes key and nonce, which are only lent.
    /// - Throws: `DatabaseError`.
    package func set(
        _ key: UnsafeRawBufferPointer, _ nonce: UnsafeRawBufferPointer, of fileID: Int64
    ) throws(DatabaseError) {
        try statement.bind([.null, .null, .integer(fileID)])
        try unsafe statement.bind(lending: key, at: 0)
        try unsafe statement.bind(lending: nonce, at: 1)
        _ = try statement.step()
        statement.reset()
    }
}
