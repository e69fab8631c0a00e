import CValiseSQLCipher
import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

extension Connection {
    /// The longest row or value that is read from a source, in bytes. Its bytes may come from anybody, and a schema can
    /// compute any value; messages and pictures in them end at a few hundred kilobytes.
    package static let longestValue: Int32 = 64 << 20

    /// Opens a database wherever its bytes are, for reading: nothing is locked, written, or looked for beside it.
    ///
    /// - Parameters:
    ///   - source: must not change while the connection is open. A write-ahead log is not seen.
    ///   - passphrase: as for a file.
    ///   - cipher: settings that differ from today's defaults, such as `cipher_page_size = 1024`.
    /// - Throws: ``DatabaseError``: `wrongPassphrase`, `damaged`, `unsupported`.
    package init(
        _ source: any ByteSource, passphrase: borrowing SecretBytes, cipher: [String] = []
    ) throws(DatabaseError) {
        let path = source.path
        var opened: OpaquePointer?
        // Nobody can share a connection between threads, as it is not sendable: a lock for each value of each row is not needed.
        let options = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let failure = SourceFailure()
        let result = SourceVFS.withName(of: source, failure: failure) { name in
            unsafe sqlite3_open_v2(name, &opened, options, SourceVFS.name)
        }
        do throws(DatabaseError) {
            guard let result, result == SQLITE_OK, let opened = unsafe opened else {
                throw unsafe DatabaseError(
                    sqlite: result ?? SQLITE_NOMEM, opened, file: path.string,
                    activity: "cannot open the database", failure: failure)
            }
            try unsafe Self.verifyCipher(opened, path)
            try unsafe Self.refuseViews(opened, path)
            unsafe sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Self.longestValue)
            unsafe sqlite3_exec(
                opened, "PRAGMA cipher_log_level = NONE; PRAGMA cipher_log_source = NONE", nil, nil, nil)
            try unsafe Self.setKey(passphrase, opened, path) {
                cipher.isEmpty ? try Self.salt(of: source, .readOnly) : nil
            }
            // The bytes may come from anybody: their schema must not call what only a program's own may.
            let distrust = ["PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON"]
            let settings = cipher.map { "PRAGMA \($0)" }
            for statement in settings + distrust + Self.openingStatements(.readOnly) {
                let result = unsafe sqlite3_exec(opened, statement, nil, nil, nil)
                guard result == SQLITE_OK else {
                    throw unsafe DatabaseError(
                        sqlite: result, opened, file: path.string, activity: "cannot open the database")
                }
            }
            unsafe handle = unsafe opened
        } catch {
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        self.path = path
    }

    /// Makes a second source readable under a schema name of its own, on a connection to a source.
    /// - Throws: ``DatabaseError``.
    package borrowing func attachForReading(
        _ source: any ByteSource, as name: String, passphrase: borrowing SecretBytes
    ) throws(DatabaseError) {
        var failure: DatabaseError?
        let kept = unsafe SourceFile.failure(of: handle) ?? SourceFailure()
        let isRegistered: Void? = SourceVFS.withName(of: source, failure: kept) { file in
            do throws(DatabaseError) {
                try attachForReading(FilePath(file), as: name, passphrase: passphrase)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard isRegistered != nil else {
            throw DatabaseError(.failed, "SQLite is out of memory", file: source.path.string)
        }
    }

    /// Throws what a source threw while it was read, once more: `PRAGMA integrity_check` passes over it and calls it
    /// damage. Damage that the source itself found is not thrown.
    /// - Throws: an error of the source.
    package borrowing func rethrowSourceFailure() throws {
        guard let failure = unsafe SourceFile.failure(of: handle)?.take(), !DatabaseError.isDamage(failure)
        else {
            return
        }
        throw failure
    }
}
