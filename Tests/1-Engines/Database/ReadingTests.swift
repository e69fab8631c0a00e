import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Statements of somebody else's, which may only read.
struct ReadingTests {
    private let folder: TemporaryFolder
    private var path: FilePath { folder.appending("test.db") }
    private static let rawKey = Array(("x'" + String(repeating: "1f", count: 32) + "'").utf8)

    private static func key() throws -> SecretBytes { try SecretBytes(copying: rawKey) }

    init() throws {
        folder = try TemporaryFolder()
        let connection = try Connection(path, mode: .create, passphrase: Self.key())
        try connection.execute("CREATE TABLE t (x); CREATE INDEX t_x ON t (x); INSERT INTO t VALUES (1), (2)")
    }

    /// Read-write, so that nothing but the guard stands between the statement and the file.
    private func read(_ sql: String, mode: AccessMode = .readWrite) throws -> [[Value]] {
        try read(sql, on: Connection(path, mode: mode, passphrase: Self.key()))
    }

    private func read(_ sql: String, on connection: borrowing Connection) throws -> [[Value]] {
        try connection.withReadingStatement(sql) { statement in
            var rows: [[Value]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value($0) })
            }
            return rows
        }
    }

    @Test func `a view in place of a table is refused, in a file and in bytes`() throws {
        let connection = try Connection(path, mode: .readWrite, passphrase: Self.key())
        try connection.execute(
            "CREATE VIEW endless AS WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        let source = try FileSource(path, fileSystem: FileSystem())
        #expect(throws: DatabaseError.self) { try connection.value("SELECT max(i) FROM endless") }
        let reading = try Connection(source, passphrase: Self.key())
        #expect(throws: DatabaseError.self) { try reading.value("SELECT max(i) FROM endless") }
        #expect(try reading.value("SELECT count(*) FROM t") == .integer(2))
    }

    /// A source that fails from a moment on.
    private final class FailingSource: ByteSource {
        let source: FileSource
        let fails = Mutex(false)
        var size: Int64 { source.size }
        var path: FilePath { source.path }

        init(_ source: FileSource) { self.source = source }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            if fails.withLock({ $0 }) { throw FileError(cannot: "read", path, .ioError) }
            return try source.read(into: buffer, at: offset)
        }
    }

    private func failingSource(_ path: FilePath) throws -> FailingSource {
        FailingSource(try FileSource(path, fileSystem: FileSystem()))
    }

    @Test func `what a source throws is what a statement throws`() throws {
        let source = try failingSource(path)
        let reading = try Connection(source, passphrase: Self.key())
        source.fails.withLock { $0 = true }
        let error = try #require(throws: DatabaseError.self) { try reading.value("SELECT count(*) FROM t") }
        #expect((error.sourceFailure as? FileError)?.errno == .ioError, "\(error)")
        #expect(error.code == .failed)
        #expect(error.description.contains("input/output error"), "\(error)")
        // It is over, and SQLite says nothing of it any more.
        source.fails.withLock { $0 = false }
        #expect(try reading.value("SELECT count(*) FROM t") == .integer(2))
        try reading.rethrowSourceFailure()
    }

    @Test func `so it is when the database is opened, or a second one read`() throws {
        let bad = try failingSource(path)
        bad.fails.withLock { $0 = true }
        let opening = try #require(throws: DatabaseError.self) {
            _ = try Connection(bad, passphrase: Self.key())
        }
        #expect(opening.sourceFailure is FileError, "\(opening)")
        #expect(opening.code == .failed && !opening.isNotADatabase, "\(opening)")
        bad.fails.withLock { $0 = false }
        let reading = try Connection(try failingSource(path), passphrase: Self.key())
        try reading.attachForReading(bad, as: "other", passphrase: Self.key())
        bad.fails.withLock { $0 = true }
        let error = try #require(throws: DatabaseError.self) {
            try reading.value("SELECT count(*) FROM other.t")
        }
        #expect(error.sourceFailure is FileError, "\(error)")
    }

    @Test func `SQLite's own check does not make damage of it`() throws {
        let source = try failingSource(path)
        let reading = try Connection(source, passphrase: Self.key())
        source.fails.withLock { $0 = true }
        #expect(throws: (any Error).self) {
            _ = try reading.rows("PRAGMA integrity_check")
            try reading.rethrowSourceFailure()
        }
    }

    @Test func `bytes of others cannot compute a value that fills the memory`() throws {
        let connection = try Connection(path, mode: .readWrite, passphrase: Self.key())
        try connection.execute(
            "CREATE TABLE large (x, y AS (zeroblob(900000000))); INSERT INTO large VALUES (1)")
        let source = try FileSource(path, fileSystem: FileSystem())
        let reading = try Connection(source, passphrase: Self.key())
        #expect(throws: DatabaseError.self) { try reading.value("SELECT y FROM large") }
    }

    @Test(arguments: [
        "INSERT INTO t VALUES (3)", "UPDATE t SET x = 0", "DELETE FROM t", "REPLACE INTO t VALUES (1)",
        "WITH n AS (SELECT 1) DELETE FROM t", "UPDATE t SET x = 0 RETURNING x", "DROP TABLE t",
        "CREATE TABLE u (x)", "CREATE TEMP TABLE u (x)", "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX i ON t (x)",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END", "ALTER TABLE t RENAME TO u", "ANALYZE",
        "REINDEX", "VACUUM", "VACUUM INTO 'other.db'", "BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT s",
        "ATTACH 'other.db' AS other", "DETACH main", "PRAGMA user_version = 7", "PRAGMA journal_mode = WAL",
        "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA key = 'x'", "PRAGMA rekey = 'x'",
        "PRAGMA cipher_profile = 'profile.txt'", "PRAGMA cipher_log = 'log.txt'", "PRAGMA wal_checkpoint",
        "PRAGMA incremental_vacuum", "PRAGMA optimize", "PRAGMA temp_store_directory = '/tmp'",
        "SELECT load_extension('x')", "SELECT sqlcipher_export('main')", "SELECT writefile('f', x'00')",
        "CREATE VIRTUAL TABLE f USING fts5(x)", "EXPLAIN DELETE FROM t",
    ])
    func `what does not only read is refused, and nothing changes`(sql: String) throws {
        let connection = try Connection(path, mode: .readWrite, passphrase: Self.key())
        let before = try TemporaryFolder.contents(of: folder.path)
        let error = try #require(throws: DatabaseError.self) { try read(sql, on: connection) }
        #expect(error.code == (sql.contains("writefile") ? .failed : .denied), "\(error)")
        #expect(error.code != .denied || error.message.contains("read-only access"), "\(error)")
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
    }

    @Test(arguments: [
        ("SELECT x FROM t ORDER BY x", 2), ("SELECT 1; ; -- nothing more", 1), ("VALUES (1), (2), (3)", 3),
        ("PRAGMA table_info(t)", 1), ("SELECT name FROM pragma_table_info('t')", 1),
        ("PRAGMA user_version", 1), ("PRAGMA integrity_check", 1), ("PRAGMA cipher_integrity_check", 0),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n", 9),
        ("SELECT value FROM json_each('[1,2]')", 2),
    ])
    func `what only reads is run`(sql: String, rows: Int) throws {
        #expect(try read(sql).count == rows)
        #expect(try read(sql, mode: .readOnly).count == rows)
    }

    @Test(arguments: ["", "  ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; selec", "SELECT 1\0"])
    func `none, several or half a statement is refused`(sql: String) throws {
        let error = try #require(throws: DatabaseError.self) { try read(sql) }
        #expect(error.code == .invalid, "\(error)")
    }

    @Test func `after a guarded statement the connection can write again where it could before`() throws {
        let connection = try Connection(path, mode: .readWrite, passphrase: Self.key())
        try connection.withReadingStatement("SELECT 1") { _ = try $0.step() }
        try connection.execute("PRAGMA query_only = OFF; INSERT INTO t VALUES (3)")
        #expect(try connection.value("SELECT count(*) FROM t") == 3)
    }

    @Test func `a long statement is stopped by what watches it, and its error is what is thrown`() throws {
        struct Enough: Error {}
        let connection = try Connection(path, mode: .readOnly, passphrase: Self.key())
        var looks = 0
        #expect(throws: Enough.self) {
            try connection.supervised {
                looks += 1
                if looks == 5 { throw Enough() }
            } _: {
                try connection.rows(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        #expect(looks == 5)
        #expect(try connection.value("SELECT 1") == 1)
    }

    @Test func `a second database is read beside the first, and a wrong passphrase is told`() throws {
        let second = folder.appending("second.db")
        let other = Array("another passphrase, derived".utf8)
        do {
            let connection = try Connection(second, mode: .create, passphrase: SecretBytes(copying: other))
            try connection.execute("CREATE TABLE u (y); INSERT INTO u VALUES ('there')")
        }
        let connection = try Connection(path, mode: .readOnly, passphrase: Self.key())
        try connection.attachForReading(second, as: "agent", passphrase: SecretBytes(copying: other))
        #expect(try connection.value("SELECT y FROM agent.u") == "there")
        #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM agent.u") }
        let wrong = try #require(throws: DatabaseError.self) {
            try connection.attachForReading(second, as: "again", passphrase: Self.key())
        }
        #expect(wrong.code == .wrongPassphrase)
    }
}
