import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

struct ConnectionTests {
    private let folder: TemporaryFolder
    private var path: FilePath { folder.appending("test.db") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

    private static let rawKey = Array(("x'" + String(repeating: "1f", count: 32) + "'").utf8)

    @Test func `the linked library is SQLCipher 4.5 or newer`() throws {
        let version = try #require(CipherVersion.linked)
        #expect(version.first == "4")
    }

    private static let passphrases: [[UInt8]] = [
        Array("correct horse".utf8), Array("it's \"quoted\"; --".utf8), Array("🔑 ключ".utf8),
        [0xff, 0xfe, 0x80, 0x01], Array(" leading and trailing ".utf8), rawKey,
        [UInt8](repeating: 0x61, count: 10_000),
    ]

    @Test(arguments: FaultSweep.few(of: passphrases))
    func `opens with its passphrase and with no other`(passphrase: [UInt8]) throws {
        do {
            let connection = try Connection(path, mode: .create, passphrase: secret(passphrase))
            try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('kept')")
        }
        let head = try FileSystem().openForReading(path).bytes(at: 0, count: 16)
        #expect(head != Array("SQLite format 3\0".utf8))
        let again = try Connection(path, mode: .readOnly, passphrase: secret(passphrase))
        #expect(try again.value("SELECT x FROM t") == "kept")
        for other in [passphrase + [0x21], []] {
            #expect {
                _ = try Connection(path, mode: .readOnly, passphrase: secret(other))
            } throws: {
                ($0 as? DatabaseError)?.isNotADatabase == true
                    && ($0 as? DatabaseError)?.code == .wrongPassphrase
            }
        }
    }

    @Test func `a passphrase with NUL is refused, as the official programs would cut it`() throws {
        #expect { _ = try Connection(path, mode: .create, passphrase: secret([1, 0, 2])) } throws: {
            ($0 as? DatabaseError)?.code == .invalid
        }
    }

    @Test func `opens with the settings of the official programs`() throws {
        let connection = try Connection(path, mode: .create, passphrase: secret(Self.rawKey))
        #expect(try connection.value("PRAGMA foreign_keys") == 1)
        #expect(try connection.value("PRAGMA secure_delete") == 1)
        #expect(try connection.value("PRAGMA auto_vacuum") == 1)
        #expect(try connection.value("PRAGMA journal_mode") == "delete")
        #expect(try connection.value("PRAGMA cipher_page_size") == .text("4096"))
    }

    @Test func `a transaction is all or nothing`() throws {
        let connection = try Connection(path, mode: .create, passphrase: SecretBytes.empty())
        try connection.execute("CREATE TABLE t (x INTEGER)")
        #expect(throws: Interruption.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (?)", [1])
                throw Interruption()
            }
        }
        #expect(try connection.value("SELECT count(*) FROM t") == 0)
        try connection.transaction { try connection.run("INSERT INTO t VALUES (?)", [2]) }
        #expect(try connection.value("SELECT count(*) FROM t") == 1)
    }

    @Test func `values go in and come out as they are`() throws {
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        try connection.execute("CREATE TABLE t (a, b, c, d, e, f, g)")
        let values: [Value] = [
            .null, .integer(.min), .real(0.5), .text("a\0b ✓"), .text(""), .blob([0, 255]), .blob([]),
        ]
        try connection.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        #expect(try connection.rows("SELECT * FROM t") == [values])
        #expect { try connection.run("INSERT INTO t VALUES (?)", []) } throws: { $0 is DatabaseError }
    }

    @Test func `errors name the file and never a bound value`() throws {
        let connection = try Connection(path, mode: .create, passphrase: SecretBytes.empty())
        try connection.execute("CREATE TABLE t (x TEXT UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", ["marker-value"])
        let error = try #require(throws: DatabaseError.self) {
            try connection.run("INSERT INTO t VALUES (?)", ["marker-value"])
        }
        #expect(error.description.contains("test.db"))
        #expect(!error.description.contains("marker-value"))
    }

    @Test func `a hot journal of an encrypted database is rolled back without its key`() throws {
        do {
            let connection = try Connection(path, mode: .create, passphrase: secret(Self.rawKey))
            try connection.execute("CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1)")
            try connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE t SET x = 2")
            // Enough to spill changed pages into the file while the transaction is open.
            try connection.execute(
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i FROM n"
            )
            for name in ["test.db", "test.db-journal"] {
                try FileSystem().copy(folder.appending(name), to: folder.appending("copy-" + name))
            }
        }
        let fileSystem = FileSystem()
        let copy = folder.appending("copy-test.db")
        try fileSystem.rename(folder.appending("copy-test.db-journal"), to: copy.appendingSuffix("-journal"))
        #expect(try fileSystem.attributes(of: copy.appendingSuffix("-journal"))?.size ?? 0 > 0)
        try JournalRecovery.rollBack(copy) { () throws(DatabaseError) in
            (try? fileSystem.attributes(of: copy.appendingSuffix("-journal"))?.size ?? 0) == 0
        }
        let opened = try Connection(copy, mode: .readOnly, passphrase: secret(Self.rawKey))
        #expect(try opened.rows("SELECT x FROM t") == [[1]])
        #expect(try opened.value("PRAGMA integrity_check") == "ok")
    }
}
