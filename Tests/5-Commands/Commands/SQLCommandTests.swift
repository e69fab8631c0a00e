import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles

/// `valise account sql`.
struct SQLCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: FilePath { folder.appending("account") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account.string)
        let location = AccountLocation(directory: account)
        let chat = try Connection(location.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
        try chat.execute(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, text, bytes BLOB);
            INSERT INTO notes VALUES (1, 'plain', x'00ff'), (2, NULL, NULL), (3, '', x''),
                (4, 'a,"b"' || char(13, 10) || 'c', NULL), (5, char(27) || '[31mred', NULL), (6, 2.5, NULL),
                (7, '日本語 ❤️', NULL)
            """)
    }

    private func sql(_ statement: String, _ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["account", "sql", account.string, statement, key] + more)
    }

    @Test func `JSON is one object a line, with bytes that are told from text`() throws {
        let outcome = try sql("SELECT * FROM notes", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(rows.count == 7)
        #expect((rows[0]["bytes"] as? [String: String]) == ["$base64": "AP8="])
        #expect(rows[1]["text"] is NSNull)
        #expect(rows[3]["text"] as? String == "a,\"b\"\r\nc")
        #expect(rows[5]["text"] as? Double == 2.5)
        #expect(rows[6]["text"] as? String == "日本語 ❤️")
        #expect(try sql("SELECT 1 WHERE 0", "--json").output.isEmpty)
        #expect(try sql("SELECT 1 AS a, 2 AS a", "--json").output == "{\"a\":1,\"a:1\":2}\n")
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `Python's csv module reads what --csv writes`() throws {
        let outcome = try sql("SELECT id, text FROM notes", "--csv")
        try fileSystem.replace(folder.appending("rows.csv"), with: Array(outcome.output.utf8))
        let script = """
            import csv, json, sys
            print(json.dumps(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))))
            """
        let python = try #require(Program.tool("python3"))
        let answer = try Program.run(python, ["-c", script, folder.appending("rows.csv").string])
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String]])
        #expect(
            rows.map(\.[1]) == ["text", "plain", "", "", "a,\"b\"\r\nc", "\u{1b}[31mred", "2.5", "日本語 ❤️"])
        // NULL and empty text differ in the bytes.
        #expect(outcome.output.contains("\r\n2,\r\n3,\"\"\r\n"))
    }

    @Test func `a table is aligned, shows NULL, and lets nothing drive the terminal`() throws {
        let outcome = try sql("SELECT id, text, bytes FROM notes WHERE id IN (1, 2, 5)")
        #expect(
            outcome.output == """
                id  text           bytes
                --  -------------  -------
                 1  plain          x'00ff'
                 2  NULL           NULL
                 5  \\u{1b}[31mred  NULL

                """, "\(outcome.output)")
    }

    @Test func `the statement comes from standard input, and the other database is there when asked for`()
        throws
    {
        let shell =
            "echo 'SELECT count(*) FROM connections' | '\(Program.valise)' account sql '\(account)' - "
        let piped = try Program.run("/bin/sh", ["-c", shell + "--database agent --csv \(key)"])
        #expect(piped.output == "count(*)\r\n0\r\n", "\(piped.errors)")
        #expect(try sql("SELECT count(*) FROM agent.connections", "--attach", "--csv").status == 0)
        #expect(try sql("SELECT count(*) FROM agent.connections", "--csv").status == 1)
    }

    @Test func `failures are one sentence with their status, and the account is untouched`() throws {
        let before = try TemporaryFolder.contents(of: account)
        try fileSystem.replace(folder.appending("wrong"), with: Array("wrong".utf8))
        let wrong = try Program.valise(
            "account", "sql", account.string, "SELECT 1", "--passphrase-file=\(folder.appending("wrong"))")
        #expect(wrong.status == 12)
        for (statement, status, part) in [
            ("SELECT * FROM nowhere", 1, "no such table: nowhere"),
            ("DELETE FROM notes", 1, "read-only access"),
            ("SELECT 1; SELECT 2", 64, "one statement"),
        ] {
            let outcome = try sql(statement)
            #expect(outcome.status == status && outcome.errors.contains(part), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try TemporaryFolder.contents(of: account) == before)
    }

    @Test func `a reader that has seen enough ends it quietly`() throws {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        let shell = "'\(Program.valise)' account sql '\(account)' '\(endless)' --csv \(key) | head -n 2"
        let outcome = try Program.run("/bin/sh", ["-c", shell])
        #expect(outcome.output == "i\r\n1\r\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test func `rows come as they are found: a million need no more memory than one`() throws {
        let many =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n"
        // Without an arena of 64 MB for each thread, of which there are more on a busy machine.
        let script =
            "export MALLOC_ARENA_MAX=1; ulimit -v 400000; '\(Program.valise)' account sql '\(account)' '\(many)' --json \(key) | wc -l"
        let outcome = try Program.run("/bin/sh", ["-c", script])
        #expect(outcome.output.contains("300000"), "\(outcome.errors)")
    }

    @Test func `what a crashed program left in a log is read, and stays where it is`() throws {
        let location = AccountLocation(directory: account)
        let copy = folder.appending("copy")
        do {
            let connection = try Connection(
                location.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.run("INSERT INTO notes VALUES (99, 'in the log', NULL)")
            try TemporaryFolder.copyTree(account, to: copy)
        }
        let before = try TemporaryFolder.contents(of: copy)
        let outcome = try Program.valise(
            "account", "sql", copy.string, "SELECT text FROM notes WHERE id = 99", key, "--csv")
        #expect(outcome.output == "text\r\nin the log\r\n", "\(outcome.errors)")
        #expect(try TemporaryFolder.contents(of: copy) == before)
    }

    @Test func `a long statement ends soon when the user interrupts`() throws {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        // A background job of a shell ignores SIGINT; SIGTERM is heard the same way.
        let shell = """
            '\(Program.valise)' account sql '\(account)' '\(endless)' \(key) & job=$!; sleep 1
            kill -TERM $job; wait $job
            """
        let start = ContinuousClock.now
        let outcome = try Program.run("/bin/sh", ["-c", shell])
        #expect(outcome.status == 130)
        #expect(outcome.errors == "valise: interrupted. Nothing was changed.\n")
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `a copy that a killed run left goes with the next that needs one`() throws {
        let location = AccountLocation(directory: account)
        let copy = folder.appending("copy")
        do {
            let connection = try Connection(
                location.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.run("DELETE FROM notes")
            try TemporaryFolder.copyTree(account, to: copy)
        }
        // No process has such a number: it is above the kernel's limit.
        let stale = copy.appending(".simplex_v1.valise-reading-4194305")
        try fileSystem.makeDirectory(stale)
        try fileSystem.replace(stale.appending("simplex_v1_chat.db"), with: [1])
        #expect(try Program.valise("account", "sql", copy.string, "SELECT 1", key).status == 0)
        #expect(try !fileSystem.exists(stale))
        #expect(try fileSystem.list(copy).allSatisfy { $0.name?.contains("reading") == false })
    }
}
