import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// Rows of tables of every make.
struct TableComparisonTests {
    private let fixture: ComparedFixture

    init() throws {
        fixture = try ComparedFixture()
    }

    private func compare(_ first: String, _ second: String) throws -> ComparisonReport {
        try fixture.compare(fixture.bare("a", chat: first), fixture.bare("b", chat: second))
    }

    private func expect(
        _ table: TableComparison, _ onlyInFirst: Int, _ onlyInSecond: Int, _ changed: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            [table.onlyInFirst, table.onlyInSecond, table.changed] == [onlyInFirst, onlyInSecond, changed],
            "\(table)", sourceLocation: location)
        #expect(table.problem == nil, sourceLocation: location)
    }

    @Test func `values of another kind are changes, although they look the same`() throws {
        let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, x);"
        let report = try compare(
            schema
                + """
                INSERT INTO t VALUES (1, 'abc'), (2, NULL), (3, ''), (4, 1), (5, x''), (6, 1.5), (7, 'a' || char(0) || 'b'),
                    (8, CAST(x'ff' AS TEXT)), (9, 9007199254740993), (10, NULL), (11, x'00'), (12, 'same')
                """,
            schema
                + """
                INSERT INTO t VALUES (1, CAST('abc' AS BLOB)), (2, ''), (3, x''), (4, 1.0), (5, NULL), (6, '1.5'),
                    (7, 'a' || char(0) || 'c'), (8, CAST(x'fe' AS TEXT)), (9, 9007199254740992), (10, NULL),
                    (11, x'00'), (12, 'same')
                """)
        let table = try report.table("t")
        expect(table, 0, 0, 9)
        #expect(table.idsChanged.items.map { [$0.first, $0.last] } == [[1, 9]])
    }

    @Test func `names with quotes, and columns that hide the row id`() throws {
        let schema = """
            CREATE TABLE "we""ird 'table'" ("a ""b"" c" TEXT PRIMARY KEY, "rowid", "select") WITHOUT ROWID;
            CREATE TABLE "x; DROP TABLE t" (rowid TEXT, oid TEXT);
            """
        let report = try compare(
            schema + #"INSERT INTO "we""ird 'table'" VALUES ('a', 1, 2), ('b', 1, 2);"#
                + #"INSERT INTO "x; DROP TABLE t" VALUES ('p', 'q'), ('r', 's')"#,
            schema + #"INSERT INTO "we""ird 'table'" VALUES ('b', 1, 3), ('c', 1, 2);"#
                + #"INSERT INTO "x; DROP TABLE t" VALUES ('p', 'q'), ('r', 't'), ('u', 'v')"#)
        expect(try report.table("we\"ird 'table'"), 1, 1, 1)
        expect(try report.table("x; DROP TABLE t"), 0, 1, 1)
    }

    @Test func `rows are known by whatever key the table has`() throws {
        let schema = """
            CREATE TABLE pair (a BLOB, b INTEGER, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE mixed (k PRIMARY KEY, v);
            CREATE TABLE nulls (k TEXT PRIMARY KEY, v);
            CREATE TABLE folded (k TEXT PRIMARY KEY COLLATE NOCASE, v);
            CREATE TABLE backwards (k TEXT, n INTEGER, v, PRIMARY KEY (k DESC, n)) WITHOUT ROWID;
            CREATE TABLE keyless (v);
            """
        let report = try compare(
            schema
                + """
                INSERT INTO pair VALUES (x'01', 1, 'a'), (x'01', 2, 'a'), (x'0100', -5, 'a'), (x'', 0, 'a');
                INSERT INTO mixed VALUES (1, 'a'), (1.5, 'a'), ('1', 'a'), (x'31', 'a'), (-9223372036854775808, 'a');
                INSERT INTO nulls VALUES (NULL, 'a'), (NULL, 'b'), ('x', 'c');
                INSERT INTO folded VALUES ('b', 1), ('A', 1), ('_', 1);
                INSERT INTO backwards VALUES ('a', 1, 1), ('a', 2, 1), ('b', 1, 1);
                INSERT INTO keyless VALUES (1), (1), (2)
                """,
            schema
                + """
                INSERT INTO pair VALUES (x'01', 1, 'a'), (x'01', 2, 'b'), (x'0100', -4, 'a'), (x'', 0, 'a');
                INSERT INTO mixed VALUES (1, 'b'), (1.25, 'a'), ('1', 'a'), (x'31', 'b'), (9223372036854775807, 'a');
                INSERT INTO nulls VALUES (NULL, 'a'), (NULL, 'c'), ('x', 'c');
                INSERT INTO folded VALUES ('b', 1), ('A', 2), ('_', 1);
                INSERT INTO backwards VALUES ('a', 1, 1), ('a', 2, 2), ('b', 1, 1);
                INSERT INTO keyless VALUES (1), (1), (2), (2)
                """)
        expect(try report.table("pair"), 1, 1, 1)
        expect(try report.table("mixed"), 2, 2, 2)
        // NULLs are no key, so the numbers of the rows count.
        expect(try report.table("nulls"), 0, 0, 1)
        expect(try report.table("folded"), 0, 0, 1)
        expect(try report.table("keyless"), 0, 1, 0)
        // Without row ids there is no other way to read it than by an order of its own.
        #expect(try report.table("backwards").problem != nil)
        #expect(!report.isSame)
    }

    @Test func `a row that is too large ends the comparison of its table, not of the others`() throws {
        let schema =
            "CREATE TABLE big (id INTEGER PRIMARY KEY, x); CREATE TABLE small (id INTEGER PRIMARY KEY, x);"
        let rows =
            "INSERT INTO big VALUES (1, 'a'), (2, zeroblob(68000000)); INSERT INTO small VALUES (1, 'a')"
        let report = try compare(schema + rows, schema + rows + "; INSERT INTO small VALUES (2, 'b')")
        let problem = try #require(try report.table("big").problem)
        #expect(problem.contains("67.1 MB"))
        expect(try report.table("small"), 0, 1, 0)
        #expect(!report.isSame)
    }

    @Test func `tables and objects of one side are named`() throws {
        let report = try compare(
            "CREATE TABLE a (x); INSERT INTO a VALUES (1), (2); CREATE TABLE c (x); CREATE INDEX i ON c (x); PRAGMA user_version = 3",
            "CREATE TABLE b (x); CREATE TABLE c (x, y); CREATE VIEW w AS SELECT * FROM c")
        let chat = try report.database(.chat)
        #expect(chat.tablesOnlyInFirst.items.map { "\($0.name) \($0.rows ?? -1)" } == ["a 2"])
        #expect(chat.tablesOnlyInSecond.items.map(\.name) == ["b"])
        let schema = try #require(chat.schema)
        #expect(schema.firstUserVersion == 3 && schema.secondUserVersion == 0)
        #expect(schema.objectsOnlyInFirst.items == ["index i"])
        #expect(schema.objectsOnlyInSecond.items == ["view w"])
        #expect(schema.objectsDifferent.items == ["table c"])
        #expect(try report.table("c").columnsOnlyInSecond == ["y"])
    }

    @Test func `a view with the name of a table is refused, before it is asked anything`() throws {
        let endless = """
            CREATE VIEW users AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT sum(i) AS user_id, 'x' AS local_display_name FROM n
            """
        let error = #expect(throws: ComparisonError.self) { try compare("CREATE TABLE t (x)", endless) }
        #expect(error?.code == .unsupported)
    }

    @Test func `an account is the same as itself`() throws {
        let account = try fixture.account("a")
        #expect(try fixture.compare(account, account).relation == .identical)
    }

    @Test func `lists are cut at a thousand and counted`() throws {
        let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY);"
        let numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO t"
        let report = try compare(
            schema + numbers + " SELECT i FROM n", schema + numbers + " SELECT i FROM n WHERE i % 2 = 0")
        let table = try report.table("t")
        expect(table, 3000, 0, 0)
        #expect(table.idsOnlyInFirst.count == 3000)
        #expect(table.idsOnlyInFirst.items.count == 1000)
    }

    // MARK: At random

    private static let makes = [
        "(k INTEGER PRIMARY KEY, v, w)", "(k INTEGER PRIMARY KEY, v, w) STRICT",
        "(k TEXT PRIMARY KEY, v, w) WITHOUT ROWID",
        "(k BLOB, v, w, PRIMARY KEY (k))",
    ].map { $0.replacing("v, w) STRICT", with: "v ANY, w ANY) STRICT") }

    private static let rounds = 12

    @Test(arguments: makes.indices)
    func `random edits are reported exactly, row by row`(make: Int) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        print("seed of random edits: \(seed), make \(make)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let model = EditModel(make, &random)
            let schema = "CREATE TABLE t \(Self.makes[make])"
            let (first, second) = (
                try fixture.bare("a\(round)", chat: schema), try fixture.bare("b\(round)", chat: schema)
            )
            try insert(model.first, into: first)
            try insert(model.second, into: second)
            let table = try fixture.compare(first, second).table("t")
            expect(
                table, model.onlyInFirst, model.onlyInSecond, model.changed)
            #expect(table.firstRows == model.first.count, "seed \(seed)")
            #expect(table.secondRows == model.second.count, "seed \(seed)")
            let listed = table.idsChanged.items.reduce(0) { $0 + $1.rows }
            if make < 2 { #expect(listed == model.changed, "seed \(seed)") }
        }
    }

    private func insert(_ rows: [Value: [Value]], into location: AccountLocation) throws {
        let connection = try fixture.connect(location)
        try connection.transaction {
            let statement = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
            // In no order.
            for (key, values) in rows { try statement.run([key] + values) }
        }
    }
}

/// Two sets of rows, and what is different between them.
private struct EditModel {
    private(set) var first: [Value: [Value]] = [:]
    private(set) var second: [Value: [Value]] = [:]

    init(_ make: Int, _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 0...300, using: &random) {
            first[Self.key(make, &random)] = [Self.value(&random), Self.value(&random)]
        }
        second = first
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let known = second.keys.randomElement(using: &random)
            switch (Int.random(in: 0..<3, using: &random), known) {
            case (0, let key?): second[key] = nil
            case (1, let key?): second[key]?[Int.random(in: 0..<2, using: &random)] = Self.value(&random)
            default: second[Self.key(make, &random)] = [Self.value(&random), Self.value(&random)]
            }
        }
    }

    var onlyInFirst: Int { first.keys.count { second[$0] == nil } }
    var onlyInSecond: Int { second.keys.count { first[$0] == nil } }
    var changed: Int { first.count { row in second[row.key].map { $0 != row.value } ?? false } }

    private static func key(_ make: Int, _ random: inout SeededGenerator) -> Value {
        let number = Int64.random(in: -400...400, using: &random)
        return switch make {
        case 0, 1: .integer(number)
        case 2: .text(String(repeating: "é", count: Int(abs(number) % 5)) + "\(number)")
        default: .blob([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(abs(number) % 7) + 1))
        }
    }

    private static func value(_ random: inout SeededGenerator) -> Value {
        let number = Int.random(in: 0..<4, using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .null
        case 1: .integer(Int64(number))
        case 2: .real(Double(number) + 0.5)
        case 3: .text(String(repeating: "x", count: number * 2000))
        default: .blob([UInt8](repeating: 120, count: number * 2000))
        }
    }
}
