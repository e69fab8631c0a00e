import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMoves
import ValiseSecrets

/// Schemas and files that no app makes.
struct HostileProofTests {
    private let fixture: ProofFixture
    private let fileSystem = FileSystem()

    init() throws {
        fixture = try ProofFixture()
    }

    /// Puts a row into the schema that SQLite would not take from a statement.
    private func forge(
        _ type: String, _ name: String, _ table: String, _ sql: String, _ location: AccountLocation
    ) throws {
        let connection = try Connection(
            location.path(of: .chat), mode: .readWrite, passphrase: ProofFixture.key())
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.run(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)",
            [.text(type), .text(name), .text(table), .text(sql)])
    }

    @Test func `virtual tables of unknown modules are passed over, and their tables are not`() throws {
        let script = """
            CREATE TABLE t (x); INSERT INTO t VALUES (1);
            CREATE TABLE search_content (id INTEGER PRIMARY KEY, c0); INSERT INTO search_content VALUES (1, 'words');
            """
        let location = try fixture.bare(script)
        let without = try fixture.proof(location)
        try forge(
            "table", "search", "search", "CREATE VIRTUAL TABLE search USING unknown_module(c0)", location)
        let proof = try fixture.proof(location)
        #expect(proof.chat != without.chat, "the schema is another one")
        try fixture.run(location, "UPDATE search_content SET c0 = 'others'")
        #expect(try fixture.proof(location).chat != proof.chat)
    }

    @Test func `a virtual table that SQLite knows counts by the tables that it keeps`() throws {
        let script = "CREATE VIRTUAL TABLE search USING fts5(c0); INSERT INTO search VALUES ('one'), ('two');"
        let location = try fixture.bare(script)
        let proof = try fixture.proof(location)
        #expect(try fixture.proof(location) == proof)
        try fixture.run(location, "INSERT INTO search VALUES ('three')")
        #expect(try fixture.proof(location).chat != proof.chat)
    }

    @Test func `views and triggers are not run, whatever functions they name`() throws {
        let location = try fixture.bare("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        try forge("view", "v", "v", "CREATE VIEW v AS SELECT unknown_function(x) FROM t", location)
        try forge(
            "trigger", "g", "t",
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT unknown_function(new.x); END", location)
        let proof = try fixture.proof(location)
        #expect(try fixture.proof(location) == proof)
    }

    @Test func `generated columns and indexes may name functions that are not there`() throws {
        let location = try fixture.bare(
            "CREATE TABLE t (x, y AS (x + 1)); INSERT INTO t (x) VALUES (1); CREATE INDEX i ON t (abs(x));")
        try fixture.run(
            location,
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'x + 1', 'unknown_function(x)') WHERE name = 't';
            UPDATE sqlite_master SET sql = replace(sql, 'abs', 'unknown_function') WHERE name = 'i';
            """)
        let proof = try fixture.proof(location)
        #expect(try fixture.proof(location) == proof)
    }

    @Test func `a table whose row ids have no name left is read`() throws {
        let script = "CREATE TABLE t (rowid, _rowid_, oid); INSERT INTO t VALUES (3, 2, 1), (1, 2, 3);"
        let proof = try fixture.proof(fixture.bare(script))
        let other = "CREATE TABLE t (rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3), (3, 2, 1);"
        #expect(try fixture.proof(fixture.bare(other, name: "other")).chat != proof.chat)
    }

    @Test func `keys with collations and falling orders are read without sorting`() throws {
        let script = """
            CREATE TABLE t (a TEXT COLLATE NOCASE, b INT, c, PRIMARY KEY (a DESC, b)) WITHOUT ROWID;
            CREATE INDEX covering ON t (c, b, a);
            INSERT INTO t VALUES ('B', 1, 9), ('a', 2, 8), ('A', 1, 7), ('c', 1, 6);
            """
        let location = try fixture.bare(script)
        let proof = try fixture.proof(location)
        try fixture.run(location, "VACUUM")
        #expect(try fixture.proof(location) == proof)
        try fixture.run(location, "UPDATE t SET a = 'b' WHERE b = 1 AND c = 9")
        #expect(try fixture.proof(location).chat != proof.chat)
    }

    @Test func `a table with a lost page is named`() throws {
        for plain in [false, true] {
            let name = plain ? "plain" : "encrypted"
            let script = #"""
                PRAGMA page_size = 4096; CREATE TABLE whole (x); INSERT INTO whole VALUES (1);
                CREATE TABLE "lost ""one""" (x); INSERT INTO "lost ""one""" VALUES (randomblob(100));
                """#
            let location = try fixture.bare(script, unencrypted: plain, name: name)
            let path = location.path(of: .chat)
            let key = plain ? try SecretBytes.empty() : try ProofFixture.key()
            let page = try Connection(path, mode: .readOnly, passphrase: key)
                .value("SELECT rootpage FROM sqlite_master WHERE name LIKE 'lost%'")?.integer
            let file = try fileSystem.openForUpdating(path)
            let bytes = [UInt8](repeating: 0xee, count: 4096)
            try bytes.withUnsafeBytes { try file.write($0, at: (try #require(page) - 1) * 4096) }
            #expect {
                try AccountProof.make(location, passphrase: key)
            } throws: {
                guard let error = $0 as? DeviceMigrationError else { return false }
                return error.kind == .damaged
                    && error.message.contains("table \"lost \"\"one\"\"\" of the chat database")
            }
        }
    }

    @Test func `a file that is no database is told as damaged`() throws {
        let location = try fixture.bare("CREATE TABLE t (x)")
        try fileSystem.replace(location.path(of: .agent), with: Array(repeating: 0x20, count: 8192))
        #expect {
            try fixture.proof(location)
        } throws: {
            ($0 as? DeviceMigrationError)?.kind == .damaged
        }
    }

    @Test func `a journal that was left is folded in on a copy, and nothing stays of it`() throws {
        let location = try fixture.bare("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        let proof = try fixture.proof(location)
        let path = location.path(of: .chat)
        let before = try fileSystem.contents(of: path, limit: 1 << 30)
        do {
            // A program that dies in the middle of a transaction leaves the pages that it wrote and the journal.
            let connection = try Connection(path, mode: .readWrite, passphrase: ProofFixture.key())
            try connection.execute(
                "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE t SET x = 2;")
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO t SELECT randomblob(1000) FROM n
                """)
            for suffix in ["", "-journal"] {
                try fileSystem.replace(
                    fixture.folder.appending("kept\(suffix)"),
                    with: fileSystem.contents(of: path.appendingSuffix(suffix), limit: 1 << 30))
            }
            try connection.execute("ROLLBACK")
        }
        for suffix in ["", "-journal"] {
            try fileSystem.replace(
                path.appendingSuffix(suffix),
                with: fileSystem.contents(of: fixture.folder.appending("kept\(suffix)"), limit: 1 << 30))
        }
        let torn = try fileSystem.contents(of: path, limit: 1 << 30)
        #expect(torn != before, "the journal was needed")
        let listed = try fileSystem.list(location.directory).compactMap(\.name)
        #expect(try fixture.proof(location) == proof)
        #expect(try fileSystem.list(location.directory).compactMap(\.name) == listed)
    }

    @Test func `a database whose header asks for a log has the same proof`() throws {
        let location = try fixture.bare("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        let proof = try fixture.proof(location)
        try fixture.run(location, "PRAGMA journal_mode = WAL")
        #expect(try fixture.proof(location) == proof)
    }
}
