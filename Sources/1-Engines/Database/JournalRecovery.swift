import CValiseSQLCipher
package import SystemPackage
import ValiseFailures

/// Rolls back the journal of a database whose key is not known.
package enum JournalRecovery {
    /// Opens the database without a key, which makes SQLite put the journal's pages back.
    ///
    /// The journal holds pages as they lie in the file, encrypted ones too, so no key is needed. To be used
    /// on a private copy of database and journal.
    ///
    /// - Throws: ``DatabaseError`` when the journal is still there afterwards.
    package static func rollBack(
        _ path: FilePath, journalIsGone: () throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        var handle: OpaquePointer?
        defer { unsafe sqlite3_close_v2(handle) }
        let result = unsafe path.withPlatformString {
            unsafe sqlite3_open_v2($0, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, nil)
        }
        guard result == SQLITE_OK, let handle = unsafe handle else {
            throw unsafe DatabaseError(
                sqlite: result, handle, file: path.string, activity: "cannot open the copy")
        }
        try unsafe Connection.verifyCipher(handle, path)
        // An encrypted first page is "not a database"; the roll-back comes before that look at it.
        let read = unsafe sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
        guard read == SQLITE_OK || read & 0xff == SQLITE_NOTADB else {
            throw unsafe DatabaseError(
                sqlite: read, handle, file: path.string, activity: "cannot roll back the journal")
        }
        guard try journalIsGone() else {
            throw DatabaseError(
                .damaged, "cannot roll back the leftover journal", file: path.string)
        }
    }
}
