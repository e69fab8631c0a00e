import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValisePostgres

/// How connections are made, how they end, and how long they wait.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresConnectionTests
{
    // MARK: Addresses

    @Test(arguments: [
        "host=/run user=relay dbname=relay", "postgresql://relay@localhost/relay",
        "postgres:///relay?host=/run",
        "postgresql://a@host1:5432,host2:5433/b?sslmode=verify-full",
        "host=a,b port=1,2 passfile=/etc/relay.pgpass",
        "host='a b' dbname=a@b",
    ])
    func `a connection string is kept as it was given`(_ text: String) throws {
        #expect(try PostgresAddress(text).text == text)
    }

    /// Passwords with and without what a URI needs encoded, and texts that are none.
    @Test(arguments: [
        "host=a password=sesame", "host=a sslpassword=sesame", "postgresql://u:sesame@h/d",
        "postgresql://u:ses@ame@h/d",
        "postgresql://u:ses/ame@h/d", "postgresql://u:ses:ame@h/d", "postgresql://u:ses#ame@h/d",
        "postgresql://u:ses?ame@h/d", "postgresql://h/d?password=sesame", "postgresql://u:sesame%zz@h/d",
        "host=a password='sesame", "host=a pass=sesame", "u:sesame@h", "sesame", "",
        "host=a\0password=sesame",
        "postgresql://u:sesame", "host=a \"sesame\"=1", "postgresql://h:sesame/d",
    ])
    func `a connection string with a password, or with what may be one, is refused without its words`(
        _ text: String
    ) throws {
        let error = try #require(postgresFailure { _ = try PostgresAddress(text) }, "\(text)")
        #expect(error.code == .invalid && !error.isOutage)
        for word in ["sesame", "ses", "ame@", "zz"] { #expect(!error.description.contains(word), "\(error)") }
    }

    @Test(arguments: [
        "", "Relay", "1a", "a-b", "a\"b", "a b", "pg_temp", "é", String(repeating: "a", count: 64), "a\0",
    ])
    func `a schema has a plain name`(_ name: String) throws {
        let address = try PostgresAddress("host=a")
        #expect(postgresFailure { _ = try PostgresSettings(address, schema: name) }?.code == .invalid)
        #expect(try PostgresSettings(address, schema: "relay_2").schema == "relay_2")
    }

    // MARK: Passwords

    private static let password = "correct horse \u{1f40e} '\\ battery"

    @Test func `the password comes from a file or from memory, and is never said`() throws {
        let server = try PostgresServer(["--password", Self.password])
        let folder = try TemporaryFolder()
        let address = try PostgresAddress(server.address)
        let fileSystem = FileSystem()
        func write(_ text: String) throws -> PostgresPassword {
            try Data(text.utf8).write(to: URL(filePath: folder.appending("password").string))
            return .file(folder.appending("password"), fileSystem)
        }
        func connect(_ password: PostgresPassword) throws {
            let connection = try PostgresConnection(
                PostgresSettings(address, password: password, schema: "a"))
            #expect(try connection.run("SELECT 1")[0].integer(0) == 1)
        }
        try connect(write(Self.password))
        try connect(write("\(Self.password)\r\nnot this line\n"))
        try connect(.secret(SharedSecret(SecretBytes(copying: Array(Self.password.utf8)))))
        for wrong in ["battery \u{1f40e} staple", Self.password + " ", "x\u{1}"] {
            let error = try #require(postgresFailure { try connect(write(wrong)) })
            #expect(
                error.kind == .credentials && error.code == .denied && error.sqlState == "28P01", "\(error)")
            #expect(error.remedy == .checkServerPassword && !error.isOutage)
            #expect(!error.description.contains(wrong) && !error.description.contains("battery"), "\(error)")
            #expect(!String(reflecting: error).contains("battery"))
        }
        for unusable in ["", "\nsecond", "a\0b"] {
            let error = try #require(postgresFailure { try connect(write(unusable)) })
            #expect(error.kind == .credentials && error.code == .invalid)
        }
        #expect(
            postgresFailure { try connect(write(String(repeating: "x", count: 5_000))) }?.code == .unsupported
        )
        let missing = postgresFailure { try connect(.file(folder.appending("none"), fileSystem)) }
        #expect(missing?.code == .notFound)
        // libpq's own file.
        let ours = folder.appending("pgpass").string
        let escaped = Self.password.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        try Data("*:*:*:*:\(escaped)\n".utf8).write(to: URL(filePath: ours))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: ours)
        let withFile = try PostgresAddress("\(server.address) passfile=\(ours)")
        _ = try PostgresConnection(PostgresSettings(withFile, schema: "a"))
        let none = try #require(postgresFailure { try connect(.none) })
        #expect(none.kind == .unreachable || none.kind == .credentials, "\(none)")
        server.end()
    }

    // MARK: Connecting

    @Test func `nobody there is an outage that says where`() throws {
        for address in [
            "host=/nowhere port=5999", "host=127.0.0.1 port=1 dbname=relay", "postgresql://127.0.0.1:1/relay",
        ] {
            let settings = try PostgresSettings(PostgresAddress(address), schema: "a")
            let error = try #require(postgresFailure { _ = try PostgresConnection(settings) })
            #expect(error.kind == .unreachable && error.isOutage && error.code == .failed, "\(error)")
            #expect(error.remedy == .checkServerAddress && !error.mayHaveTakenEffect)
            #expect(
                error.subject?.contains(address.contains("nowhere") ? "/nowhere" : "127.0.0.1") == true,
                "\(error)")
            #expect(!error.description.contains("\n") && !error.description.contains("?Is"))
        }
    }

    @Test func `a database or a user that does not exist is no outage`() throws {
        let server = try PostgresServer.shared()
        let cases: [(String, PostgresError.Kind, FailureCode)] = [
            ("dbname=none", .general, .notFound), ("user=nobody_here", .credentials, .denied),
        ]
        for (words, kind, code) in cases {
            let settings = try PostgresSettings(PostgresAddress("\(server.address) \(words)"), schema: "a")
            let error = try #require(postgresFailure { _ = try PostgresConnection(settings) })
            #expect(error.kind == kind && error.code == code && !error.isOutage, "\(error)")
            // The place in the server's sources is not said.
            #expect(!error.description.contains("LOCATION"))
        }
    }

    @Test func `a database of another encoding is refused`() throws {
        let server = try PostgresServer.shared()
        let connection = try PostgresPlace().connect()
        try connection.runScript(
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", within: .seconds(30))
        let settings = try PostgresSettings(PostgresAddress("\(server.address) dbname=latin"), schema: "a")
        let error = postgresFailure { _ = try PostgresConnection(settings) }
        #expect(error?.code == .unsupported && error?.message.contains("LATIN1") == true)
    }

    @Test func `a server that only reads is an outage`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(
            after: "CREATE TABLE a (n bigint); SET default_transaction_read_only = on")
        let error = postgresFailure { try connection.run("INSERT INTO a VALUES (1)") }
        #expect(error?.kind == .readOnly && error?.isOutage == true)
        // Such as the copy of another one, that is connected to instead of it.
        let address = "\(place.server.address) options='-c default_transaction_read_only=on'"
        let settings = try PostgresSettings(PostgresAddress(address), schema: "a")
        #expect(postgresFailure { _ = try PostgresConnection(settings) }?.isOutage == true)
    }

    @Test func `a server without a place for another connection is an outage`() throws {
        let server = try PostgresServer([
            "--setting", "max_connections=4", "--setting", "superuser_reserved_connections=0",
        ])
        let place = try PostgresPlace(server)
        var connections: [PostgresConnection] = []
        for _ in 0..<4 { connections.append(try place.connect()) }
        let error = try #require(postgresFailure { _ = try place.connect() })
        #expect(error.kind == .tooManyConnections && error.isOutage && error.sqlState == "53300", "\(error)")
        connections.removeLast().close()
        // Its place is free when its process has ended.
        var last: PostgresError?
        for _ in 0..<100 {
            last = postgresFailure { connections.append(try place.connect()) }
            if last == nil { break }
            FileSystem.wait(.milliseconds(50))
        }
        #expect(last == nil)
        server.end()
    }

    @Test func `a connection over TLS is checked against the authority that is named`() throws {
        let server = try PostgresServer(["--tls", "--password", Self.password])
        let secret = PostgresPassword.secret(
            SharedSecret(try SecretBytes(copying: Array(Self.password.utf8))))
        func connect(_ words: String) throws -> PostgresConnection {
            try PostgresConnection(
                PostgresSettings(
                    PostgresAddress("\(server.loopback) \(words)"), password: secret, schema: "a"))
        }
        let connection = try connect("sslmode=verify-full sslrootcert=\(server.authorities)")
        #expect(try connection.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].boolean(0))
        let body = Array(repeating: UInt8(3), count: 3 << 20)
        #expect(try connection.run("SELECT $1::bytea", [.bytes(body)])[0].bytes(0) == body)
        let error = postgresFailure { _ = try connect("sslmode=verify-full sslrootcert=/dev/null") }
        #expect(error?.isOutage == true && error?.description.contains("battery") == false)
        server.end()
    }

    @Test func `the session is set up`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect()
        func setting(_ name: String) throws -> String {
            try connection.run("SELECT current_setting($1)", [.text(name)])[0].text(0)
        }
        #expect(try setting("search_path") == "\"\(place.settings.schema)\", pg_temp")
        #expect(try setting("client_encoding") == "UTF8" && setting("application_name") == "valise")
        #expect(try setting("statement_timeout") == "35s")
        #expect(try setting("idle_in_transaction_session_timeout") == "1min")
        #expect(connection.subject.contains(place.server.folder))
    }

    // MARK: Deadlines

    @Test func `a statement that takes too long is stopped, and the connection goes on`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE a (n bigint)")
        let start = ContinuousClock.now
        let error = try #require(
            postgresFailure {
                _ = try connection.run(
                    [
                        PostgresStatement("INSERT INTO a VALUES (1)"),
                        PostgresStatement("SELECT pg_sleep(60)"),
                    ],
                    within: .milliseconds(300))
            })
        #expect(
            error.kind == .timeout && error.sqlState == "57014" && error.statement == 1 && !error.isOutage,
            "\(error)")
        #expect(!error.mayHaveTakenEffect && error.remedy == .tryLater)
        let took = ContinuousClock.now - start
        #expect(took > .milliseconds(290) && took < .seconds(10), "\(took)")
        #expect(try connection.run("SELECT count(*) FROM a")[0].integer(0) == 0)
        let script = postgresFailure {
            try connection.runScript("SELECT pg_sleep(60)", within: .milliseconds(100))
        }
        #expect(script?.kind == .timeout && connection.isOpen)
        #expect(try connection.run("SELECT 3")[0].integer(0) == 3)
    }

    /// A statement may be given more time than the settings give: neither we nor the server stop it then.
    @Test func `a longer time is the server's, too`() throws {
        var place = try PostgresPlace()
        place.settings.statementTimeout = .milliseconds(100)
        place.settings.cancelPatience = .milliseconds(100)
        let connection = try place.connect()
        let rows = try connection.run("SELECT pg_sleep(0.7), 4::bigint", within: .seconds(20))
        #expect(rows.columns.count == 2)
        #expect(try rows[0].integer(1) == 4)
        // Only for that.
        #expect(try connection.run("SELECT current_setting('statement_timeout')")[0].text(0) == "200ms")
        #expect(postgresFailure { try connection.run("SELECT pg_sleep(10)") }?.kind == .timeout)
        let bad = postgresFailure { try connection.run("SELECT nonsense", within: .seconds(20)) }
        #expect(bad?.statement == 0)
    }

    @Test func `a server that does not even stop is left, and that is an outage`() throws {
        let server = try PostgresServer()
        var place = try PostgresPlace(server)
        place.settings.cancelPatience = .milliseconds(300)
        let connection = try place.connect(after: "CREATE TABLE a (n bigint)")
        let idle = try place.connect()
        try server.perform(.freeze)
        let start = ContinuousClock.now
        let error = try #require(
            postgresFailure { try connection.run("INSERT INTO a VALUES (1)", within: .milliseconds(300)) })
        #expect(error.kind == .unresponsive && error.isOutage && error.mayHaveTakenEffect, "\(error)")
        #expect(!connection.isOpen && ContinuousClock.now - start < .seconds(20))
        // A question can have had no effect; nobody knows that it was one.
        let later = try #require(postgresFailure { try connection.run("SELECT 1") })
        #expect(later.isOutage && !later.mayHaveTakenEffect)
        // A new connection is not answered either.
        var impatient = place.settings
        impatient.connectTimeout = .milliseconds(300)
        let refused = postgresFailure { _ = try PostgresConnection(impatient) }
        #expect(refused?.kind == .unreachable && refused?.isOutage == true)
        try server.perform(.thaw)
        #expect(try idle.run("SELECT 1")[0].integer(0) == 1)
        _ = try place.connect()
        server.end()
    }

    // MARK: Ends

    @Test func `a connection that the server ends in the middle is an outage`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(after: "CREATE TABLE a (n bigint)")
        let other = try place.connect()
        let process = try connection.backend()
        let ending = BackgroundTask { _ in
            // It works on it by then.
            for _ in 0..<200 {
                let rows = try other.run(
                    "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'",
                    [.integer(process)])
                if !rows.isEmpty { break }
                FileSystem.wait(.milliseconds(20))
            }
            return try other.run("SELECT pg_terminate_backend($1::integer)", [.integer(process)])[0].boolean(
                0)
        }
        let error = try #require(
            postgresFailure {
                try connection.transaction {
                    try $0.run("INSERT INTO a VALUES (1)")
                    try $0.run("SELECT pg_sleep(60)")
                }
            })
        #expect(try ending.value())
        #expect(error.isOutage && error.sqlState == "57P01", "\(error)")
        // In a transaction that was not committed.
        #expect(!error.mayHaveTakenEffect)
        #expect(!connection.isOpen)
        let later = postgresFailure { try connection.run("SELECT 1") }
        #expect(later?.isOutage == true && later?.sqlState == "57P01")
        #expect(postgresFailure { try connection.transaction { try $0.run("SELECT 1") } }?.isOutage == true)
        #expect(try other.run("SELECT count(*) FROM a")[0].integer(0) == 0)
    }

    @Test func `what ends while a commit is on its way may have taken effect`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(after: "CREATE TABLE a (n bigint)")
        // Its own end is the last statement of the batch, before the commit.
        let error = try #require(
            postgresFailure {
                try connection.run([
                    PostgresStatement("INSERT INTO a VALUES (1)"),
                    PostgresStatement("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)"),
                ])
            })
        #expect(error.isOutage && error.mayHaveTakenEffect, "\(error)")
        #expect(try place.connect().run("SELECT count(*) FROM a")[0].integer(0) == 0)
    }

    @Test func `an idle connection notices that the server ended it`() throws {
        let place = try PostgresPlace()
        let (connection, other) = (try place.connect(), try place.connect())
        try connection.lookAlive()
        try other.run("SELECT pg_terminate_backend($1::integer)", [.integer(connection.backend())])
        var error: PostgresError?
        for _ in 0..<200 where error == nil {
            error = postgresFailure { try connection.lookAlive() }
            FileSystem.wait(.milliseconds(10))
        }
        #expect(error?.isOutage == true && !connection.isOpen)
        connection.close()
        #expect(postgresFailure { try connection.lookAlive() }?.isOutage == true)
    }

    @Test func `a closed connection is an error`() throws {
        let connection = try PostgresPlace().connect()
        connection.close()
        connection.close()
        #expect(!connection.isOpen && connection.preparedCount == 0)
        #expect(postgresFailure { try connection.run("SELECT 1") } != nil)
        #expect(postgresFailure { try connection.runScript("SELECT 1", within: .seconds(1)) } != nil)
        #expect(postgresFailure { try connection.take(PostgresLock("a")) } != nil)
    }

    /// Each statement alone, as the connection is no one's: answers are not mixed up.
    @Test func `threads that share a connection wait for each other`() throws {
        let connection = try PostgresPlace().connect()
        try onThreads(8) { index in
            for turn in 0..<100 {
                let value = Int64(index * 1_000 + turn)
                let answer = try connection.run("SELECT $1::bigint", [.integer(value)])[0].integer(0)
                #expect(answer == value)
            }
        }
    }
}
