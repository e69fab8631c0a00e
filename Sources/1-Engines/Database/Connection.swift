import CValiseSQLCipher
package import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// How a database file is opened.
package enum AccessMode: Sendable, Equatable {
    /// Nothing is written, not even a lock's trace; refused where a journal waits to be rolled back.
    case readOnly
    /// The same without SQLite's locks: for a caller that holds an exclusive lock of its own on the file.
    case readOnlyUnderLock
    /// What is there is read and written.
    case readWrite
    /// The same for a database that several processes use at once: opening it writes nothing.
    case shared
    /// The file is made where it is missing, for its owner alone.
    case create
    /// A database in memory; the path only names it in errors.
    case inMemory
    /// Like `readOnlyUnderLock`, and other databases that are attached may be written.
    case exportSource

    var writes: Bool { [.readWrite, .shared, .create, .inMemory].contains(self) }
}

/// A connection to one SQLCipher or plain SQLite database. It is closed when it goes out of scope.
///
/// Opening follows SimpleX (Documentation/formats/account.md): the passphrase through the key interface, a busy timeout of
/// 100 ms, foreign keys on, secure delete on, full auto-vacuum for a new file; the rollback journal and all
/// cipher parameters stay SQLCipher's defaults.
@safe public struct Connection: ~Copyable {
    let handle: OpaquePointer

    /// The database file.
    package let path: FilePath

    /// The oldest SQLCipher that reads and writes format 4 as SimpleX does.
    package static let oldestCipherVersion = [4, 5]

    /// Opens and proves that the key is right by reading the first page.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - mode: what may be done.
    ///   - passphrase: any bytes without NUL; empty for an unencrypted database. A passphrase of the form
    ///     `x'…'` with 64 or 96 hexadecimal digits is a raw key to SQLCipher, as in the official programs.
    ///   - cipher: settings that differ from today's defaults, such as `cipher_page_size = 1024`.
    /// - Throws: ``DatabaseError``: `unsupported` when the linked library is not SQLCipher ≥ 4.5;
    ///   `wrongPassphrase`; `notFound`; `inUse`.
    package init(
        _ path: FilePath, mode: AccessMode, passphrase: borrowing SecretBytes, cipher: [String] = []
    ) throws(DatabaseError) {
        let handle = try unsafe Self.open(path, mode)
        do throws(DatabaseError) {
            try unsafe Self.verifyCipher(handle, path)
            try unsafe Self.refuseViews(handle, path)
            // SQLCipher writes its own log to standard error; errors reach the caller as values instead.
            unsafe sqlite3_exec(
                handle, "PRAGMA cipher_log_level = NONE; PRAGMA cipher_log_source = NONE", nil, nil, nil)
            try unsafe Self.setKey(passphrase, handle, path) {
                mode == .inMemory || !cipher.isEmpty ? nil : try Self.salt(of: FileSource(path), mode)
            }
            for statement in cipher.map({ "PRAGMA \($0)" }) + Self.openingStatements(mode) {
                let result = unsafe sqlite3_exec(handle, statement, nil, nil, nil)
                guard result == SQLITE_OK else {
                    throw unsafe DatabaseError(
                        sqlite: result, handle, file: path.string, activity: "cannot open the database")
                }
            }
        } catch {
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        self.path = path
        unsafe self.handle = unsafe handle
    }

    static func openingStatements(_ mode: AccessMode) -> [String] {
        let always = ["PRAGMA busy_timeout = 100", "PRAGMA foreign_keys = ON"]
        // Where it is in force already, SQLite still writes the second to the first page.
        let writing = ["PRAGMA secure_delete = ON"] + (mode == .shared ? [] : ["PRAGMA auto_vacuum = FULL"])
        // Reading the first page is what proves the key.
        return always + (mode.writes ? writing : []) + [
            "SELECT count(*) FROM sqlite_master"
        ]
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    private static func open(_ path: FilePath, _ mode: AccessMode) throws(DatabaseError) -> OpaquePointer {
        let flags =
            switch mode {
            case .readOnly, .readOnlyUnderLock: SQLITE_OPEN_READONLY
            case .readWrite, .shared: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .inMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
            // What the file's URI says holds for that file only.
            case .exportSource: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
            }
        if mode == .create { PrivateFile.make(path) }
        var handle: OpaquePointer?
        let options = flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
        let system = mode == .readOnlyUnderLock ? "unix-none" : nil
        let result =
            unsafe mode == .exportSource
            ? sqlite3_open_v2(DatabaseURI.readOnlyUnderLock(path), &handle, options, nil)
            : path.withPlatformString { unsafe sqlite3_open_v2($0, &handle, options, system) }
        guard result == SQLITE_OK, let handle = unsafe handle else {
            let error = unsafe DatabaseError(
                sqlite: result, handle, file: path.string, activity: "cannot open the database")
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        return unsafe handle
    }

    /// Were plain SQLite linked by accident, an "encrypted" database would be written unencrypted.
    static func verifyCipher(_ handle: OpaquePointer, _ path: FilePath) throws(DatabaseError) {
        let version = unsafe CipherVersion.text(handle) ?? ""
        guard CipherVersion.isNewEnough(version) else {
            let found = version.isEmpty ? "plain SQLite" : "SQLCipher \(version)"
            throw DatabaseError(
                .unsupported, "SQLCipher 4.5 or newer is required, but the linked library is \(found)",
                file: path.string)
        }
    }

    /// No schema of an account has views. In one that somebody else made, a view in place of a table could make any query
    /// run for ever.
    static func refuseViews(_ handle: OpaquePointer, _ path: FilePath) throws(DatabaseError) {
        let result = unsafe valise_sqlite3_refuse_views(handle)
        guard result == SQLITE_OK else {
            throw unsafe DatabaseError(
                sqlite: result, handle, file: path.string, activity: "cannot open the database")
        }
    }

    /// - Parameter salt: of the file; nil where it has other settings than the defaults.
    static func setKey(
        _ passphrase: borrowing SecretBytes, _ handle: OpaquePointer, _ path: FilePath,
        salt: () throws -> [UInt8]?
    ) throws(DatabaseError) {
        guard !passphrase.isEmpty else { return }
        // Without the key SQLCipher derives it from the passphrase, so that nothing is lost here but time.
        let key = (try? knownKey(passphrase, salt)) ?? nil
        let result =
            if let key { unsafe put(key.bytes, handle) } else { unsafe put(passphrase, handle) }
        guard let result else {
            throw DatabaseError(
                .invalid, "a passphrase cannot contain a NUL byte: the official apps would cut it there",
                file: path.string)
        }
        guard result == SQLITE_OK else {
            throw unsafe DatabaseError(
                sqlite: result, handle, file: path.string, activity: "cannot set the key")
        }
    }

    /// - Returns: SQLite's code; nil where nothing was set.
    private static func put(_ key: borrowing SecretBytes, _ handle: OpaquePointer) -> Int32? {
        unsafe key.withBytes { bytes in
            unsafe bytes.contains(0)
                ? nil : sqlite3_key_v2(handle, "main", bytes.baseAddress, Int32(bytes.count))
        }
    }

    /// The key of a file, where its passphrase remembers what was derived from it: derived here, as SQLCipher keeps it to itself.
    private static func knownKey(
        _ passphrase: borrowing SecretBytes, _ salt: () throws -> [UInt8]?
    ) throws -> SharedSecret? {
        guard passphrase.derivedKeys != nil, !passphrase.looksLikeRawKey(),
            unsafe !passphrase.withBytes({ unsafe $0.contains(0) }), let salt = try salt()
        else { return nil }
        let key = try passphrase.derivedKey(.sqlCipher4(salt: salt), size: KeyDerivation.keySize)
        return SharedSecret(try key.bytes.rawKey(salt: salt))
    }

    /// Derives the key of a database with the settings of the official programs, for who opens it later: nothing is done for a
    /// passphrase that remembers nothing.
    /// - Throws: errors of the source; `SecretsError`.
    package static func deriveKey(
        of source: any ByteSource, passphrase: borrowing SecretBytes
    ) throws {
        _ = try knownKey(passphrase) { try salt(of: source, .readOnly) }
    }

    /// What a database begins with; a new one gets it here.
    static func salt(of source: any ByteSource, _ mode: AccessMode) throws -> [UInt8] {
        if mode == .create, source.size == 0 { return try KeyDerivation.makeSalt() }
        var salt = [UInt8](repeating: 0, count: KeyDerivation.saltSize)
        try unsafe salt.withUnsafeMutableBytes { try unsafe source.fill($0, at: 0) }
        return salt
    }

    // MARK: Running statements

    /// Runs one or several statements without parameters, passing over their rows.
    /// - Throws: ``DatabaseError``; statements before the failing one were run.
    package borrowing func execute(_ sql: String) throws(DatabaseError) {
        let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(result, "cannot run a statement") }
    }

    /// Runs a script statement by statement.
    ///
    /// - Parameters:
    ///   - sql: the statements.
    ///   - beforeEach: gets the number of the statement from 0; throw to stop.
    /// - Throws: ``DatabaseError``; whatever `beforeEach` throws.
    package borrowing func executeScript(
        _ sql: String, beforeEach: (Int) throws -> Void
    ) throws {
        var number = 0
        try unsafe sql.withCString { start in
            var next: UnsafePointer<CChar>? = unsafe start
            while let current = unsafe next, unsafe current.pointee != 0 {
                var statement: OpaquePointer?
                let result = unsafe sqlite3_prepare_v2(handle, current, -1, &statement, &next)
                guard result == SQLITE_OK else { throw failure(result, "cannot read a script") }
                guard let statement = unsafe statement else { continue }
                defer { unsafe sqlite3_finalize(statement) }
                try beforeEach(number)
                number += 1
                var step = SQLITE_ROW
                while step == SQLITE_ROW { step = unsafe sqlite3_step(statement) }
                guard step == SQLITE_DONE else { throw failure(step, "cannot run a script") }
            }
        }
    }

    /// Prepares one statement.
    /// - Throws: ``DatabaseError``.
    package borrowing func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let result = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement = unsafe statement else {
            throw failure(result, "cannot prepare a statement")
        }
        return unsafe Statement(handle: statement, connection: handle, file: path.string)
    }

    /// Runs one statement with values for its parameters.
    /// - Throws: ``DatabaseError``.
    package borrowing func run(_ sql: String, _ values: [Value] = []) throws(DatabaseError) {
        try prepare(sql).run(values)
    }

    /// All rows of a query. For results that are known to be small.
    /// - Throws: ``DatabaseError``.
    package borrowing func rows(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var rows: [[Value]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.value($0) })
        }
        return rows
    }

    /// The first value of the first row, or nil where there is no row.
    /// - Throws: ``DatabaseError``.
    package borrowing func value(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> Value? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.value(0) : nil
    }

    /// Whether a query gives a row.
    /// - Throws: ``DatabaseError``.
    package borrowing func hasRow(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> Bool {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step()
    }

    /// What a query counts: the number that it gives.
    /// - Throws: ``DatabaseError``, also where it gives no number.
    package borrowing func count(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> Int64 {
        guard case .integer(let number)? = try value(sql, values) else { throw unanswered("a count") }
        return number
    }

    /// The row id of the last insert on this connection.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction goes on. SQLite itself may have ended one that was begun, on a full disk for one.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` in an immediate transaction: committed when it returns, rolled back when it throws.
    /// - Throws: ``DatabaseError``; whatever `body` throws.
    package borrowing func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite itself may have rolled back already, on a full disk for one.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    borrowing func failure(_ result: Int32, _ activity: String) -> DatabaseError {
        unsafe DatabaseError(sqlite: result, handle, file: path.string, activity: activity)
    }
}
