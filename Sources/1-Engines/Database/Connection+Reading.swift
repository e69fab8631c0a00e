import CValiseSQLCipher
package import SystemPackage
import ValiseFailures
package import ValiseSecrets

extension Connection {
    /// Prepares one statement of somebody else's and lends it, if it can do nothing but read.
    ///
    /// Whatever writes, attaches, loads code or sets something is refused before it runs, by SQLite's own
    /// authorizer; so is more than one statement.
    ///
    /// - Throws: ``DatabaseError``: `denied` for what does not only read, `invalid` for no statement or
    ///   several; whatever `body` throws.
    package borrowing func withReadingStatement<Result>(
        _ sql: String, _ body: (borrowing Statement) throws -> Result
    ) throws -> Result {
        try execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
        let readingGuard = ReadingGuard()
        let context = unsafe Unmanaged.passUnretained(readingGuard).toOpaque()
        unsafe sqlite3_set_authorizer(handle, ReadingGuard.callback, context)
        defer {
            unsafe sqlite3_set_authorizer(handle, nil, nil)
            withExtendedLifetime(readingGuard) {}
        }
        let statement: Statement
        do {
            statement = try prepareOnly(sql)
        } catch {
            throw readingGuard.refusal.map { refusal($0) } ?? error
        }
        guard statement.isReading else { throw refusal("a statement that writes") }
        return try body(statement)
    }

    /// The only statement of a text.
    private borrowing func prepareOnly(_ sql: String) throws(DatabaseError) -> Statement {
        guard !sql.utf8.contains(0) else {
            throw DatabaseError(.invalid, "the statement contains a NUL character", file: path.string)
        }
        var found: OpaquePointer?
        var isSingle = true
        let result = unsafe sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let result = unsafe sqlite3_prepare_v2(handle, text, -1, &found, &tail)
            isSingle = unsafe result != SQLITE_OK || isBlank(tail)
            return result
        }
        guard result == SQLITE_OK else { throw failure(result, "cannot prepare the statement") }
        guard let found = unsafe found else {
            throw DatabaseError(.invalid, "no statement to run", file: path.string)
        }
        let statement = unsafe Statement(handle: found, connection: handle, file: path.string)
        guard isSingle else {
            throw DatabaseError(.invalid, "expected one statement, got several", file: path.string)
        }
        return statement
    }

    /// Whether nothing follows but spaces, semicolons and comments.
    private borrowing func isBlank(_ text: UnsafePointer<CChar>?) -> Bool {
        var rest = unsafe text
        while let current = unsafe rest, unsafe current.pointee != 0 {
            var statement: OpaquePointer?
            let result = unsafe sqlite3_prepare_v2(handle, current, -1, &statement, &rest)
            guard result == SQLITE_OK, unsafe statement == nil else {
                unsafe sqlite3_finalize(statement)
                return false
            }
        }
        return true
    }

    private borrowing func refusal(_ what: String) -> DatabaseError {
        DatabaseError(
            .denied, "read-only access: \(what) is not allowed. Nothing was changed.",
            file: path.string)
    }

    /// Makes a second database readable under a schema name of its own.
    ///
    /// - Parameters:
    ///   - path: opened as this connection is, read-only where it is.
    ///   - name: plain letters.
    ///   - passphrase: empty for an unencrypted database. It reaches SQLCipher as a bound value, not as text of SQL.
    /// - Throws: ``DatabaseError``.
    package borrowing func attachForReading(
        _ path: FilePath, as name: String, passphrase: borrowing SecretBytes
    ) throws(DatabaseError) {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        let prepared = unsafe sqlite3_prepare_v2(
            handle, "ATTACH ? AS \(name) KEY ?", -1, &statement, nil)
        guard prepared == SQLITE_OK else { throw failure(prepared, "cannot attach a database") }
        let result = unsafe path.withPlatformString { file in
            unsafe passphrase.withBytes { key in
                unsafe sqlite3_bind_text(statement, 1, file, -1, nil)
                unsafe sqlite3_bind_text64(
                    statement, 2, key.baseAddress, UInt64(key.count), nil, UInt8(SQLITE_UTF8))
                defer { unsafe sqlite3_clear_bindings(statement) }
                return unsafe sqlite3_step(statement)
            }
        }
        guard result == SQLITE_DONE else {
            throw unsafe DatabaseError(
                sqlite: result, handle, file: path.string, activity: "cannot attach a database")
        }
    }
}
