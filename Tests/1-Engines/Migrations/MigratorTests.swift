import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseSecrets

struct MigratorTests {
    private static let steps = [
        Migration(name: "0001_a", up: "CREATE TABLE a (x INTEGER) STRICT", down: "DROP TABLE a"),
        Migration(
            name: "0002_b", up: "CREATE TABLE b (y TEXT) STRICT; CREATE INDEX idx_b ON b (y)",
            down: "DROP INDEX idx_b; DROP TABLE b"),
        Migration(name: "0003_c", up: "ALTER TABLE a ADD COLUMN z TEXT", down: "ALTER TABLE a DROP COLUMN z"),
    ]

    private func memory() throws -> Connection {
        try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
    }

    private func run(
        _ connection: borrowing Connection, _ list: MigrationList,
        _ confirmation: MigrationConfirmation = .yesUpDown
    ) throws -> MigrationResult {
        try Migrator(list).run(on: connection, confirmation: confirmation)
    }

    @Test func `up, down and up again gives the same schema`() throws {
        let connection = try memory()
        #expect(try run(connection, MigrationList(Self.steps)) == .ok)
        let full = try SchemaSnapshot(connection)
        #expect(try run(connection, MigrationList(Self.steps, upTo: "0001_a")) == .ok)
        #expect(try Migrator.applied(on: connection).map(\.name) == ["0001_a"])
        #expect(try run(connection, MigrationList(Self.steps)) == .ok)
        #expect(try SchemaSnapshot(connection) == full)
    }

    @Test func `the bookkeeping has the official form`() throws {
        let connection = try memory()
        _ = try run(connection, MigrationList(Self.steps))
        let columns = try connection.rows(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info('migrations')")
        #expect(
            columns == [["name", "TEXT", 1, 1], ["ts", "TEXT", 1, 0], ["down", "TEXT", 0, 0]])
        let applied = try Migrator.applied(on: connection)
        #expect(applied.map(\.down) == Self.steps.map(\.down))
        #expect(applied.allSatisfy { $0.timestamp.count >= 19 && $0.timestamp.contains(" ") })
    }

    @Test(arguments: [
        "SELECT 'm' || i, '2024-01-01 00:00:00' FROM (WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            + "WHERE i < 10001) SELECT i FROM n)",
        "SELECT hex(zeroblob(9000000)), ''",
    ])
    func `a table of migrations that nobody's app has is refused`(rows: String) throws {
        let connection = try memory()
        _ = try run(connection, MigrationList(Self.steps))
        try connection.execute("INSERT INTO migrations (name, ts) \(rows)")
        let error = try #require(throws: DatabaseError.self) { try Migrator.applied(on: connection) }
        #expect(error.code == .unsupported)
        #expect(error.message.contains("too many"))
    }

    // MARK: The table of confirmations (Documentation/formats/migrations.md)

    @Test(arguments: MigrationConfirmation.allCases)
    func `an upgrade runs where the confirmation allows it`(confirmation: MigrationConfirmation) throws {
        let connection = try memory()
        let result = try run(connection, MigrationList(Self.steps), confirmation)
        switch confirmation {
        case .yesUp, .yesUpDown:
            #expect(result == .ok)
        case .error, .console:
            let names = Self.steps.map { UpMigration(upName: $0.name, withDown: true) }
            #expect(
                result
                    == .errorMigration(dbFile: ":memory:", migrationError: .upgrade(upMigrations: names)))
            #expect(try connection.value("SELECT count(*) FROM sqlite_master") == 0)
        }
    }

    @Test(arguments: MigrationConfirmation.allCases)
    func `a downgrade runs where the confirmation allows it`(confirmation: MigrationConfirmation) throws {
        let connection = try memory()
        _ = try run(connection, MigrationList(Self.steps))
        let result = try run(connection, MigrationList(Self.steps, upTo: "0001_a"), confirmation)
        if confirmation == .yesUpDown {
            #expect(result == .ok)
        } else {
            let names = ["0003_c", "0002_b"]
            #expect(
                result
                    == .errorMigration(
                        dbFile: ":memory:", migrationError: .downgrade(downMigrations: names)))
            #expect(try Migrator.applied(on: connection).count == 3)
        }
    }

    @Test(arguments: [true, false])
    func `console asks and does what the answer is`(answer: Bool) throws {
        let connection = try memory()
        let result = try Migrator(MigrationList(Self.steps)).run(
            on: connection, confirmation: .console, ask: { _ in answer })
        #expect((result == .ok) == answer)
        #expect(try Migrator.applied(on: connection).count == (answer ? 3 : 0))
    }

    @Test func `a gap is a difference, and a step without way back is told`() throws {
        let connection = try memory()
        _ = try run(connection, MigrationList([Self.steps[0], Self.steps[2]]))
        #expect(
            try run(connection, MigrationList(Self.steps))
                == .errorMigration(
                    dbFile: ":memory:",
                    migrationError: .migrationError(
                        mtrError: .different(appMigration: "0002_b", dbMigration: "0003_c"))))
        let other = try memory()
        let oneWay = [Self.steps[0], Migration(name: "0002_x", up: "CREATE TABLE x (y)", down: nil)]
        _ = try run(other, MigrationList(oneWay))
        #expect(
            try run(other, MigrationList(oneWay, upTo: "0001_a"))
                == .errorMigration(
                    dbFile: ":memory:",
                    migrationError: .migrationError(mtrError: .noDown(dbMigrations: ["0002_x"]))))
    }

    // MARK: What is never done

    @Test func `a way back that is not ours is never run`() throws {
        let connection = try memory()
        _ = try run(connection, MigrationList(Self.steps))
        try connection.run("UPDATE migrations SET down = 'DROP TABLE a' WHERE name = '0003_c'")
        let before = try SchemaSnapshot(connection)
        #expect {
            try run(connection, MigrationList(Self.steps, upTo: "0001_a"))
        } throws: {
            ($0 as? MigrationError)?.code == .unsupported
        }
        #expect(try SchemaSnapshot(connection) == before)
        #expect(try Migrator.applied(on: connection).count == 3)
    }

    @Test func `a newer database is left alone`() throws {
        let connection = try memory()
        _ = try run(connection, MigrationList(Self.steps))
        #expect {
            try run(connection, MigrationList(Array(Self.steps.prefix(2))))
        } throws: {
            ($0 as? MigrationError)?.code == .newer
        }
        #expect(try Migrator.applied(on: connection).count == 3)
    }

    @Test func `a failure at any statement leaves the steps before it and nothing of its own`() throws {
        for failing in Self.steps {
            for statement in 0..<2 {
                let connection = try memory()
                let before = Self.steps.prefix { $0.name != failing.name }
                let hook: Migrator.StatementHook = { name, number in
                    if name == failing.name, number == statement {
                        throw DatabaseError(.noSpace, "injected", file: "x")
                    }
                }
                let result = Result {
                    try Migrator(MigrationList(Self.steps)).run(
                        on: connection, confirmation: .yesUp, beforeStatement: hook)
                }
                guard case .failure(let error) = result else { continue }
                #expect((error as? MigrationError)?.code == .noSpace)
                #expect(try Migrator.applied(on: connection).map(\.name) == before.map(\.name))
                #expect(try SchemaSnapshot(connection) == SchemaSnapshot(of: Array(before)))
            }
        }
    }

    @Test func `a script with an error is rolled back and named`() throws {
        let connection = try memory()
        let broken = Migration(
            name: "0004_d", up: "CREATE TABLE d (x); INSERT INTO nowhere VALUES (1)", down: nil)
        let error = try #require(throws: MigrationError.self) {
            try run(connection, MigrationList(Self.steps + [broken]))
        }
        #expect(error.migration == "0004_d")
        #expect(error.description.contains("nowhere"))
        #expect(try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'd'") == 0)
    }

    // MARK: Drift

    @Test func `finds changed scripts and a changed schema`() throws {
        let connection = try memory()
        let migrator = Migrator(try MigrationList(Self.steps))
        _ = try migrator.run(on: connection, confirmation: .yesUp)
        #expect(try migrator.drift(on: connection)?.isClean == true)

        try connection.execute(
            "DROP INDEX idx_b; CREATE TABLE extra (x); ALTER TABLE b ADD COLUMN w TEXT")
        var changed = Self.steps
        changed[0] = Migration(name: "0001_a", up: changed[0].up + ";", down: "DROP TABLE IF EXISTS a")
        let report = try #require(try Migrator(MigrationList(changed)).drift(on: connection))
        #expect(report.changedScripts == ["0001_a"])
        #expect(report.foreignDowns == ["0001_a"])
        #expect(report.missingObjects == ["index idx_b"])
        #expect(report.unknownObjects == ["table extra"])
        #expect(report.changedObjects == ["table b"])
    }

    @Test func `a list that is not sorted is refused`() {
        #expect { try MigrationList(Self.steps.reversed()) } throws: {
            ($0 as? MigrationError)?.code == .invalid
        }
        #expect { try MigrationList(Self.steps, upTo: "0009") } throws: {
            ($0 as? MigrationError)?.code == .notFound
        }
    }
}
