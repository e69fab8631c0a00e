import CValiseSQLCipher
package import SystemPackage
import ValiseFailures

extension Connection {
    /// Writes the whole database into a new file without free pages and with every page filled again.
    ///
    /// The new file has the same key, salt and settings (`auto_vacuum`, `user_version`, `application_id`, page
    /// size, encoding). It is not flushed.
    ///
    /// - Parameter target: an empty file, or none.
    /// - Throws: ``DatabaseError``; the target may hold a part then.
    package borrowing func vacuum(into target: FilePath) throws(DatabaseError) {
        PrivateFile.make(target)
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        let prepared = unsafe sqlite3_prepare_v2(handle, "VACUUM INTO ?", -1, &statement, nil)
        guard prepared == SQLITE_OK else { throw failure(prepared, "cannot compact the database") }
        let result = unsafe target.withPlatformString { path in
            unsafe sqlite3_bind_text(statement, 1, path, -1, nil)
            defer { unsafe sqlite3_clear_bindings(statement) }
            return unsafe sqlite3_step(statement)
        }
        guard result == SQLITE_DONE else { throw failure(result, "cannot compact the database") }
    }
}
