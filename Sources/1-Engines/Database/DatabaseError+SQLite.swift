import CValiseSQLCipher
import SystemPackage
import ValiseFailures
import ValiseFiles

extension DatabaseError {
    /// The one place where SQLite's result codes get their meaning.
    ///
    /// - Parameters:
    ///   - result: what the call returned; the connection's extended code is preferred.
    ///   - connection: asked for its message.
    ///   - file: the database file.
    ///   - activity: what was tried, such as `cannot run a statement`.
    ///   - failure: what the source threw, where the connection has no file yet.
    init(
        sqlite result: Int32, _ connection: OpaquePointer?, file: String, activity: String,
        failure: SourceFailure? = nil
    ) {
        let extended = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? result
        // "disk I/O error" is what SQLite says of whatever a source throws, and "not a database" if it is the first page.
        if [SQLITE_IOERR, SQLITE_NOTADB, SQLITE_CORRUPT].contains(result & 0xff),
            let cause = unsafe (failure ?? SourceFile.failure(of: connection))?.take()
        {
            let code = (cause as? any Failure)?.code ?? .failed
            self.init(code, "\(activity): \(cause)", file: file, resultCode: SQLITE_IOERR, cause: cause)
            return
        }
        let text = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
        let (code, explanation) = Self.meaning(of: result, file)
        let reason = unsafe text ?? String(cString: sqlite3_errstr(result))
        // "file is not a database" is what SQLite says; the explanation alone is clearer.
        let parts = code == .wrongPassphrase ? [explanation] : [activity, reason, explanation]
        let message = parts.compactMap { $0 }.joined(separator: ": ")
        self.init(
            code, message, file: file, resultCode: extended & 0xff == result & 0xff ? extended : result)
    }

    private static func meaning(of result: Int32, _ file: String) -> (FailureCode, String?) {
        switch result & 0xff {
        case SQLITE_NOTADB:
            // Or the first page is damaged: SQLCipher says the same of both.
            (.wrongPassphrase, "wrong passphrase")
        case SQLITE_BUSY, SQLITE_LOCKED: (.inUse, "in use by another program")
        case SQLITE_FULL: (.noSpace, nil)
        case SQLITE_CORRUPT: (.damaged, nil)
        case SQLITE_CANTOPEN: cannotOpen(file)
        case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY: (.denied, nil)
        case SQLITE_INTERRUPT: (.interrupted, nil)
        default: (.failed, nil)
        }
    }

    /// SQLite says the same of a database that is missing and of a journal that it cannot make beside one.
    private static func cannotOpen(_ file: String) -> (FailureCode, String?) {
        guard (try? FileSystem().exists(FilePath(file))) == true else { return (.notFound, nil) }
        return (.failed, "the disk may be full, or the folder not writable")
    }
}
