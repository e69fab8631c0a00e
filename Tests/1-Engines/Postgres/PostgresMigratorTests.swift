import Foundation
import TestPeers
import Testing
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles

@testable import ValisePostgres

/// Numbered migrations of a schema.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresMigratorTests {
    private static let one = Migration(
        name: "0001_chunks",
        up: "CREATE TABLE chunks (id bytea PRIMARY KEY); CREATE INDEX by_id ON chunks (id)",
        down: "DROP TABLE chunks")
    private static let two = Migration(
        name: "0002_sizes", up: "ALTER TABLE chunks ADD COLUMN size bigint NOT NULL DEFAULT 0",
        down: "ALTER TABLE chunks DROP COLUMN size")
    private static let three = Migration(name: "0003_more", up: "CREATE TABLE more (n bigint)", down: nil)

    private func migrator(_ migrations: Migration..., upTo target: String? = nil) throws -> PostgresMigrator {
        PostgresMigrator(try MigrationList(migrations, upTo: target))
    }

    private func failure<Result>(_ body: () throws -> Result) -> MigrationError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? MigrationError
        }
    }

    @Test func `a schema is created and brought up, step by step, and back`() throws {
        let connection = try PostgresPlace().connect()
        let both = try migrator(Self.one, Self.two)
        #expect(
            try both.status(on: connection) == .init(applied: [], pending: ["0001_chunks", "0002_sizes"]))
        #expect(
            try migrator(Self.one, Self.two, upTo: "0001_chunks").upgrade(on: connection) == ["0001_chunks"])
        try connection.run("INSERT INTO chunks VALUES ($1)", [.bytes([1])])
        #expect(try both.status(on: connection) == .init(applied: ["0001_chunks"], pending: ["0002_sizes"]))
        #expect(try both.upgrade(on: connection) == ["0002_sizes"])
        #expect(try both.upgrade(on: connection).isEmpty)
        #expect(try connection.run("SELECT id, size FROM chunks")[0].integer(1) == 0)
        #expect(try both.downgrade(to: "0001_chunks", on: connection) == ["0002_sizes"])
        #expect(try connection.run("SELECT * FROM chunks").columns == ["id"])
        #expect(try both.downgrade(to: nil, on: connection) == ["0001_chunks"])
        #expect(try both.downgrade(to: nil, on: connection).isEmpty)
        #expect(postgresFailure { try connection.run("SELECT * FROM chunks") }?.code == .notFound)
        #expect(try both.upgrade(on: connection) == ["0001_chunks", "0002_sizes"])
        #expect(connection.isReusable)
    }

    @Test func `a schema of another place is not touched`() throws {
        let (here, there) = (try PostgresPlace().connect(), try PostgresPlace().connect())
        let migrator = try migrator(Self.one, Self.two)
        try migrator.upgrade(on: here)
        #expect(try migrator.status(on: there).applied.isEmpty)
        #expect(try migrator.upgrade(on: there).count == 2)
        try migrator.downgrade(to: nil, on: here)
        #expect(try migrator.status(on: there).applied.count == 2)
    }

    @Test func `a script that is not the one that was run is refused`() throws {
        let connection = try PostgresPlace().connect()
        try migrator(Self.one).upgrade(on: connection)
        let changedUp = Migration(name: Self.one.name, up: Self.one.up + " ", down: Self.one.down)
        let changedDown = Migration(name: Self.one.name, up: Self.one.up, down: "DROP TABLE IF EXISTS chunks")
        let withoutDown = Migration(name: Self.one.name, up: Self.one.up, down: nil)
        for changed in [changedUp, changedDown, withoutDown] {
            let other = try migrator(changed, Self.two)
            for error in [
                failure { try other.upgrade(on: connection) },
                failure { _ = try other.status(on: connection) },
                failure { try other.downgrade(to: nil, on: connection) },
            ] {
                #expect(
                    error?.code == .damaged && error?.migration == "0001_chunks",
                    "\(String(describing: error))")
            }
        }
        #expect(try migrator(Self.one, Self.two).upgrade(on: connection) == ["0002_sizes"])
    }

    @Test func `a newer program's schema and another history are refused`() throws {
        let connection = try PostgresPlace().connect()
        try migrator(Self.one, Self.two, Self.three).upgrade(on: connection)
        let older = try migrator(Self.one, Self.two)
        for error in [
            failure { try older.upgrade(on: connection) },
            failure { try older.downgrade(to: nil, on: connection) },
        ] { #expect(error?.code == .newer && error?.migration == "0003_more") }
        let other = try migrator(
            Self.one, Migration(name: "0002_other", up: "SELECT 1", down: nil), Self.three)
        let error = failure { try other.upgrade(on: connection) }
        #expect(error?.code == .unsupported && error?.migration == "0002_sizes")
        #expect(try connection.run("SELECT count(*) FROM migrations")[0].integer(0) == 3)
        // A step without a way back is found before the first is undone.
        let all = try migrator(
            Self.one, Self.two, Self.three, Migration(name: "0004_last", up: "SELECT 1", down: "SELECT 1"))
        try all.upgrade(on: connection)
        let stuck = failure { try all.downgrade(to: "0001_chunks", on: connection) }
        #expect(stuck?.code == .unsupported && stuck?.migration == "0003_more")
        #expect(try all.status(on: connection).applied.count == 4)
        #expect(failure { try all.downgrade(to: "0009", on: connection) }?.code == .notFound)
    }

    @Test func `a script that fails leaves those before it, and nothing of its own`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect()
        let broken = Migration(
            name: "0002_broken",
            up: "CREATE TABLE half (n bigint); INSERT INTO half VALUES (1); SELECT nonsense", down: nil)
        let error = failure { try migrator(Self.one, broken, Self.three).upgrade(on: connection) }
        #expect(error?.migration == "0002_broken" && (error?.cause as? PostgresError)?.sqlState == "42703")
        #expect(try connection.run("SELECT name FROM migrations").map { try $0.text(0) } == ["0001_chunks"])
        #expect(postgresFailure { try connection.run("SELECT * FROM half") }?.code == .notFound)
        #expect(connection.isReusable, "the lock is released")
        // A script that ends its transaction cannot be rolled back: it is no migration that was run.
        let sly = Migration(name: "0002_sly", up: "CREATE TABLE sly (n bigint); COMMIT", down: nil)
        let refused = failure { try migrator(Self.one, sly).upgrade(on: connection) }
        #expect((refused?.cause as? PostgresError)?.code == .invalid && !connection.isOpen)
        #expect(try migrator(Self.one).status(on: place.connect()).applied == ["0001_chunks"])
    }

    @Test func `a script may take longer than other statements, and no longer than its own time`() throws {
        var place = try PostgresPlace()
        place.settings.statementTimeout = .milliseconds(100)
        place.settings.cancelPatience = .milliseconds(200)
        let connection = try place.connect()
        let slow = Migration(name: "0001_slow", up: "SELECT pg_sleep(0.8)", down: nil)
        #expect(try migrator(slow).upgrade(on: connection) == ["0001_slow"])
        var hurried = try migrator(slow, Migration(name: "0002_slow", up: "SELECT pg_sleep(30)", down: nil))
        hurried.scriptTimeout = .milliseconds(200)
        let error = failure { try hurried.upgrade(on: connection) }
        #expect((error?.cause as? PostgresError)?.kind == .timeout)
    }

    @Test func `who migrates waits for another one, and not for ever`() throws {
        let place = try PostgresPlace()
        let (connection, other) = (try place.connect(), try place.connect())
        try other.take(PostgresLock("migrations of \(place.settings.schema)"))
        var impatient = try migrator(Self.one)
        impatient.lockPatience = .milliseconds(200)
        #expect(postgresFailure { try impatient.upgrade(on: connection) }?.kind == .timeout)
        other.close()
        #expect(try impatient.upgrade(on: connection) == ["0001_chunks"])
    }

    @Test func `a user who may not create a schema migrates the one that it was given`() throws {
        let place = try PostgresPlace()
        let owner = try place.connect()
        let (role, schema) = ("role_\(place.settings.schema)", place.settings.schema)
        try owner.runScript(
            "CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(schema) AUTHORIZATION \(role)", within: .seconds(20))
        let settings = try PostgresSettings(
            PostgresAddress("\(place.server.address) user=\(role)"), schema: schema)
        #expect(try migrator(Self.one).upgrade(on: PostgresConnection(settings)) == ["0001_chunks"])
        // And is refused where there is none.
        let elsewhere = try PostgresSettings(
            PostgresAddress("\(place.server.address) user=\(role)"), schema: "\(schema)_x")
        let error = postgresFailure { try migrator(Self.one).upgrade(on: PostgresConnection(elsewhere)) }
        #expect(error?.code == .denied)
    }

    // MARK: Processes

    private func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let (process, output) = (Process(), Pipe.uninherited())
        process.executableURL = Repository.program("postgres-worker")
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.start()
        return (process, output)
    }

    private static func text(_ output: Pipe) -> String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `processes that migrate at once share the work, and each step is run once`() throws {
        let place = try PostgresPlace()
        let workers = try (0..<3).map { _ in
            try start(["migrate", place.server.address, place.settings.schema, "20"])
        }
        var counts: [Int] = []
        for worker in workers {
            let text = Self.text(worker.output)
            worker.process.waitUntilExit()
            #expect(worker.process.terminationStatus == 0)
            counts.append(try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines))))
        }
        // Whoever is first does all of it.
        #expect(counts.sorted() == [0, 0, 20])
        let connection = try place.connect()
        #expect(try connection.run("SELECT count(*) FROM migrations")[0].integer(0) == 20)
    }

    @Test func `a process that is killed in the middle of it is followed by another`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect()
        let first = try start(["migrate", place.server.address, place.settings.schema, "400"])
        func applied() -> Int64 {
            (try? connection.run("SELECT count(*) FROM migrations").first?.integer(0)) ?? 0
        }
        let began = ContinuousClock.now
        while applied() < 5, ContinuousClock.now - began < .seconds(30) { FileSystem.wait(.milliseconds(5)) }
        kill(first.process.processIdentifier, SIGKILL)
        first.process.waitUntilExit()
        #expect(first.process.terminationReason == .uncaughtSignal)
        let second = try start(["migrate", place.server.address, place.settings.schema, "400"])
        let text = Self.text(second.output).trimmingCharacters(in: .whitespacesAndNewlines)
        second.process.waitUntilExit()
        let count = try #require(Int(text))
        #expect(second.process.terminationStatus == 0 && (1..<396).contains(count), "\(count)")
        #expect(applied() == 400)
    }

    @Test func `what processes add is counted exactly, also when one is killed`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(
            after: "CREATE TABLE total (n bigint); INSERT INTO total VALUES (0)")
        let arguments = ["add", place.server.address, place.settings.schema, "total"]
        let victim = try start(arguments + ["1000000"])
        let others = try (0..<2).map { _ in try start(arguments + ["100"]) }
        for other in others {
            #expect(Self.text(other.output).split(separator: "\n").count == 100)
            other.process.waitUntilExit()
            #expect(other.process.terminationStatus == 0)
        }
        kill(victim.process.processIdentifier, SIGKILL)
        let added = Self.text(victim.output).split(separator: "\n").count
        victim.process.waitUntilExit()
        let total = try connection.run("SELECT n FROM total")[0].integer(0)
        // Its last one may be committed and not told.
        #expect((Int64(added + 200)...Int64(added + 201)).contains(total), "\(added), \(total)")
    }
}
