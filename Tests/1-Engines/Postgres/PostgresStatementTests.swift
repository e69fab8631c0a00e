import TestPeers
import Testing
import ValiseFailures

@testable import ValisePostgres

/// Statements, their values and their answers, against a real server.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresStatementTests
{
    @Test func `values of each type come back as they were`() throws {
        let connection = try PostgresPlace().connect()
        let numbers: [Int64] = [0, 1, -1, .max, .min, 1 << 32]
        for number in numbers {
            let row = try connection.run("SELECT $1::bigint", [.integer(number)])[0]
            #expect(try row.integer(0) == number)
        }
        for number: Int32 in [0, -1, .max, .min] {
            let row = try connection.run("SELECT $1::integer, $1::bigint", [.shortInteger(number)])[0]
            #expect(try row.integer(0) == Int64(number))
            #expect(try row.integer(1) == Int64(number))
        }
        for value in [true, false] {
            #expect(try connection.run("SELECT $1::boolean", [.boolean(value)])[0].boolean(0) == value)
        }
        let row = try connection.run(
            "SELECT 7::smallint, 4294967295::oid, 'x'::varchar, 'y'::name, ''::text")[0]
        #expect(try row.integer(0) == 7 && row.integer(1) == 4_294_967_295)
        #expect(try row.text(2) == "x" && row.text(3) == "y" && row.text(4).isEmpty)
    }

    @Test func `nulls have the type of their statement, and are no zeros`() throws {
        let connection = try PostgresPlace().connect()
        let sql = "SELECT $1::bigint, $2::integer, $3::boolean, $4::text, $5::bytea"
        let row = try connection.run(
            sql, [.integer(nil), .shortInteger(nil), .boolean(nil), .text(nil), .bytes(nil)])[0]
        for column in 0..<5 { #expect(try row.value(column) == .null) }
        #expect(try row.integerIfAny(0) == nil && row.textIfAny(3) == nil && row.bytesIfAny(4) == nil)
        let error = postgresFailure { _ = try row.integer(0) }
        #expect(
            error?.code == .damaged && error?.message.contains("int8") == true, "\(String(describing: error))"
        )
        // The same statement, now with values: nothing was prepared for another type.
        let values = try connection.run(sql, [1, .shortInteger(2), true, "", .bytes([])])[0]
        #expect(try values.integer(0) == 1 && values.integer(1) == 2 && values.boolean(2))
        #expect(try values.textIfAny(3) == "" && values.bytesIfAny(4) == [])
        #expect(postgresFailure { _ = try values.text(4) }?.code == .damaged)
        #expect(postgresFailure { _ = try values.value(5) }?.code == .invalid)
        #expect(postgresFailure { _ = try values.value(-1) }?.code == .invalid)
    }

    @Test func `bytes and texts are kept, whatever is in them`() throws {
        let connection = try PostgresPlace().connect(
            after: "CREATE TABLE kept (id bigint, body bytea, words text)")
        let bodies: [[UInt8]] = [
            [], [0], Array(0...255), Array(repeating: 0, count: 1 << 20), Array("'; DROP".utf8),
        ]
        let texts = [
            "", "'; DROP TABLE kept; --", "\\", "\"", "$1", "a\tb\r\n", "\u{1}\u{7f}", "héllo 🧳",
            "\u{202e}exe",
            String(repeating: "x", count: 100_000), "{1,2}", "NULL", "\u{fffd}", "e\u{301}",
        ]
        for (index, text) in texts.enumerated() {
            let body = bodies[index % bodies.count]
            try connection.run(
                "INSERT INTO kept VALUES ($1, $2, $3)", [.integer(Int64(index)), .bytes(body), .text(text)])
            let row = try connection.run(
                "SELECT body, words FROM kept WHERE id = $1", [.integer(Int64(index))])[0]
            #expect(try row.bytes(0) == body)
            // By its bytes: two texts that look the same are not.
            #expect(try Array(row.text(1).utf8) == Array(text.utf8))
        }
        #expect(try connection.run("SELECT count(*) FROM kept")[0].integer(0) == Int64(texts.count))
        // A zero byte is none of a text, for the server.
        let error = postgresFailure { try connection.run("SELECT $1::text", [.text("a\0b")]) }
        #expect(error?.code == .invalid && error?.sqlState == "22021", "\(String(describing: error))")
        #expect(error.map { !$0.isOutage } == true && connection.isOpen)
        #expect(postgresFailure { try connection.run("SELECT 1\0, 2") }?.code == .invalid)
    }

    @Test func `lists of values are arrays`() throws {
        let connection = try PostgresPlace().connect()
        let sql =
            "SELECT value FROM generate_series(1::bigint, 10::bigint) AS value WHERE value = ANY ($1) ORDER BY value"
        #expect(try connection.run(sql, [.integers([3, 1, 99])]).map { try $0.integer(0) } == [1, 3])
        #expect(try connection.run(sql, [.integers([])]).isEmpty)
        let bytes: [[UInt8]] = [[], [0, 1], Array(repeating: 7, count: 300)]
        let back = try connection.run("SELECT unnest($1::bytea[])", [.byteStrings(bytes)])
        #expect(try back.map { try $0.bytes(0) } == bytes)
        let texts = ["", "a,b", "{}", "\"", "NULL"]
        let words = try connection.run("SELECT unnest($1::text[])", [.texts(texts)])
        #expect(try words.map { try $0.text(0) } == texts)
    }

    @Test func `a type that is not read is an error that names the column`() throws {
        let connection = try PostgresPlace().connect()
        let error = postgresFailure { try connection.run("SELECT 1.5::numeric AS price") }
        #expect(error?.code == .unsupported && error?.message.contains("price") == true)
        #expect(connection.isOpen)
        #expect(try connection.run("SELECT 2").first?.integer(0) == 2)
    }

    @Test func `a batch is one round trip, in order, with the rows of each`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE counted (n bigint)")
        let prepared = connection.preparedCount
        var batch = (1...500).map { PostgresStatement("INSERT INTO counted VALUES ($1)", [.integer($0)]) }
        batch.append(PostgresStatement("SELECT n FROM counted ORDER BY n"))
        batch.append(PostgresStatement("UPDATE counted SET n = n + 1 WHERE n > $1", [400]))
        batch.append(PostgresStatement("DELETE FROM counted WHERE n = 1 RETURNING n"))
        let answers = try connection.run(batch)
        #expect(answers.count == 503)
        #expect(answers.prefix(500).allSatisfy { $0.affected == 1 && $0.isEmpty && $0.tag == "INSERT 0 1" })
        #expect(try answers[500].map { try $0.integer(0) } == Array(1...500))
        #expect(answers[500].columns == ["n"] && answers[501].affected == 100)
        #expect(try answers[502].first?.integer(0) == 1)
        // Four texts in all, however often they are run.
        #expect(connection.preparedCount == prepared + 4)
        #expect(try connection.run([]).isEmpty)
    }

    /// More than the sockets hold in both directions: whoever only wrote would wait for ever.
    @Test func `a batch may be larger than what is on its way, in both directions`() throws {
        let connection = try PostgresPlace().connect()
        let body = Array(repeating: UInt8(9), count: 1 << 20)
        let batch = (0..<24).map { _ in PostgresStatement("SELECT $1::bytea", [.bytes(body)]) }
        let answers = try connection.run(batch)
        #expect(try answers.allSatisfy { try $0[0].bytes(0) == body })
    }

    @Test func `a batch that fails changes nothing, and the connection goes on`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE once (id bigint PRIMARY KEY)")
        let insert = "INSERT INTO once VALUES ($1)"
        let error = postgresFailure {
            try connection.run([
                PostgresStatement(insert, [1]), PostgresStatement(insert, [2]),
                PostgresStatement(insert, [1]),
                PostgresStatement(insert, [3]), PostgresStatement("SELECT nonsense"),
            ])
        }
        #expect(error?.kind == .constraint(.unique) && error?.code == .alreadyExists)
        #expect(error?.statement == 2 && error?.constraint == "once_pkey" && error?.sqlState == "23505")
        #expect(error?.mayHaveTakenEffect == false)
        // What the row contains is nobody's concern.
        #expect(error?.message.contains("(1)") == false, "\(String(describing: error))")
        #expect(try connection.run("SELECT count(*) FROM once")[0].integer(0) == 0)
        // A statement that cannot be prepared, between others.
        let unknown = postgresFailure {
            try connection.run([
                PostgresStatement(insert, [1]), PostgresStatement("SELECT nonsense"),
                PostgresStatement(insert, [2]),
            ])
        }
        #expect(unknown?.statement == 1 && unknown?.sqlState == "42703")
        #expect(
            try connection.run([PostgresStatement(insert, [1]), PostgresStatement("SELECT 5")])[1][0].integer(
                0) == 5)
        #expect(try connection.run("SELECT count(*) FROM once")[0].integer(0) == 1)
    }

    @Test func `what fails only when the batch is committed is its failure`() throws {
        let connection = try PostgresPlace().connect(
            after: """
                CREATE TABLE parent (id bigint PRIMARY KEY);
                CREATE TABLE child (id bigint CONSTRAINT has_parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED)
                """)
        let error = postgresFailure {
            try connection.run([
                PostgresStatement("INSERT INTO child VALUES (1)"), PostgresStatement("SELECT 1"),
            ])
        }
        #expect(
            error?.kind == .constraint(.foreignKey) && error?.constraint == "has_parent"
                && error?.statement == nil)
        #expect(connection.isOpen)
        #expect(try connection.run("SELECT count(*) FROM child")[0].integer(0) == 0)
        let late = postgresFailure {
            try connection.transaction { try $0.run("INSERT INTO child VALUES (1)") }
        }
        #expect(late?.kind == .constraint(.foreignKey) && late?.mayHaveTakenEffect == false)
        #expect(try connection.run("SELECT count(*) FROM child")[0].integer(0) == 0)
    }

    @Test func `each violated constraint has its kind`() throws {
        let connection = try PostgresPlace().connect(
            after: """
                CREATE TABLE ruled (
                    id bigint NOT NULL, size bigint CONSTRAINT positive CHECK (size > 0), at int4range,
                    EXCLUDE USING gist (at WITH &&)
                );
                INSERT INTO ruled VALUES (1, 1, '[1,5)')
                """)
        func kind(_ sql: String) -> PostgresError.Kind? { postgresFailure { try connection.run(sql) }?.kind }
        #expect(kind("INSERT INTO ruled VALUES (NULL, 1)") == .constraint(.notNull))
        #expect(kind("INSERT INTO ruled VALUES (1, 0)") == .constraint(.check))
        #expect(kind("INSERT INTO ruled VALUES (1, 1, '[3,9)')") == .constraint(.exclusion))
        #expect(kind("SELECT 1 / 0") == .general)
        #expect(kind("SELECT * FROM missing") == .general)
        #expect(postgresFailure { try connection.run("SELECT * FROM missing") }?.code == .notFound)
        #expect(postgresFailure { try connection.run("COPY ruled TO STDOUT") } != nil)
    }

    @Test func `so many statements are prepared and no more, and the others run as well`() throws {
        let connection = try PostgresPlace().connect()
        for number in 0..<400 {
            #expect(try connection.run("SELECT \(number)::bigint").first?.integer(0) == Int64(number))
        }
        #expect(connection.preparedCount == PostgresSession.mostPrepared)
        let known = try connection.run("SELECT count(*) FROM pg_prepared_statements")[0].integer(0)
        #expect(known == Int64(PostgresSession.mostPrepared))
    }

    @Test func `a table that changed under a prepared statement is one failure`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(after: "CREATE TABLE wide (a bigint)")
        let other = try place.connect()
        #expect(try connection.run("SELECT * FROM wide").columns == ["a"])
        try other.run("ALTER TABLE wide ADD COLUMN b bigint")
        #expect(postgresFailure { try connection.run("SELECT * FROM wide") }?.sqlState == "0A000")
        #expect(try connection.run("SELECT * FROM wide").columns == ["a", "b"])
        // Somebody removed what was prepared.
        try connection.runScript("DEALLOCATE ALL", within: .seconds(5))
        #expect(postgresFailure { try connection.run("SELECT * FROM wide") }?.sqlState == "26000")
        #expect(try connection.run("SELECT * FROM wide").columns == ["a", "b"])
    }

    @Test func `more values than a statement can have are refused here`() throws {
        let connection = try PostgresPlace().connect()
        let values = Array(repeating: PostgresParameter.integer(1), count: 65_536)
        #expect(postgresFailure { try connection.run("SELECT 1", values) }?.code == .invalid)
        #expect(connection.isOpen)
    }

    @Test func `notices are swallowed`() throws {
        let connection = try PostgresPlace().connect()
        try connection.runScript(
            "SET client_min_messages = notice; DO $$ BEGIN RAISE NOTICE 'loud'; RAISE WARNING 'louder'; END $$",
            within: .seconds(5))
        #expect(try connection.run("SELECT 1")[0].integer(0) == 1)
    }

    @Test func `a script has several statements, and fails as one`() throws {
        let connection = try PostgresPlace().connect(
            after: "CREATE TABLE a (n bigint); CREATE TABLE b (n bigint)")
        let error = postgresFailure {
            try connection.runScript(
                "INSERT INTO a VALUES (1); SELECT nonsense; INSERT INTO b VALUES (1)", within: .seconds(5))
        }
        #expect(error?.sqlState == "42703" && connection.isOpen)
        #expect(try connection.run("SELECT count(*) FROM a")[0].integer(0) == 0)
        try connection.runScript("", within: .seconds(5))
        try connection.runScript(
            "INSERT INTO a VALUES (1); SELECT * FROM a; ; INSERT INTO b VALUES (1);", within: .seconds(5))
        #expect(
            try connection.run("SELECT (SELECT count(*) FROM a) + (SELECT count(*) FROM b)")[0].integer(0)
                == 2)
    }
}
