import TestPeers
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

@testable import ValisePostgres

/// Transactions and locks, of several connections.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresTransactionTests {
    private struct Stop: Error {}

    private func count(_ connection: PostgresConnection) throws -> Int64 {
        try connection.run("SELECT count(*) FROM a")[0].integer(0)
    }

    @Test func `a transaction is committed when the body returns, and rolled back when it throws`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE a (n bigint PRIMARY KEY)")
        let value = try connection.transaction { transaction in
            try transaction.run("INSERT INTO a VALUES (1)")
            return try transaction.run("SELECT n FROM a")[0].integer(0)
        }
        #expect(try value == 1 && count(connection) == 1)
        #expect(throws: Stop.self) {
            try connection.transaction {
                try $0.run("INSERT INTO a VALUES (2)")
                throw Stop()
            }
        }
        #expect(try count(connection) == 1 && connection.isReusable)
        // Who kept it does not change anything with it.
        let kept = try connection.transaction { $0 }
        #expect(postgresFailure { try kept.run("INSERT INTO a VALUES (3)") }?.code == .invalid)
        #expect(try count(connection) == 1)
        // Without a statement the server does not learn of it.
        try connection.transaction { _ in }
        #expect(throws: Stop.self) { try connection.transaction { _ in throw Stop() } }
        let error = postgresFailure { try connection.transaction { try $0.run("INSERT INTO a VALUES (1)") } }
        #expect(error?.kind == .constraint(.unique) && error?.statement == 0)
        let begin = postgresFailure { try connection.transaction { try $0.run("SELECT nonsense") } }
        #expect(begin?.statement == 0 && connection.isReusable)
    }

    /// Otherwise a commit would be believed that the server has answered with a rollback.
    @Test func `a failure that the body swallows is thrown at the end`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE a (n bigint PRIMARY KEY)")
        let error = postgresFailure {
            try connection.transaction { transaction in
                try transaction.run("INSERT INTO a VALUES (1)")
                #expect(postgresFailure { try transaction.run("INSERT INTO a VALUES (1)") } != nil)
                // What comes after it is refused.
                #expect(postgresFailure { try transaction.run("SELECT 1") }?.sqlState == "25P02")
            }
        }
        #expect(error?.kind == .constraint(.unique))
        #expect(try count(connection) == 0 && connection.isReusable)
    }

    @Test func `a transaction in another one is refused, and so is a lock of the session`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE a (n bigint)")
        try connection.transaction {
            try $0.run("INSERT INTO a VALUES (1)")
            #expect(postgresFailure { try connection.transaction { _ in } }?.code == .invalid)
            #expect(postgresFailure { try connection.take(PostgresLock("x")) }?.code == .invalid)
            #expect(postgresFailure { _ = try connection.tryTaking(PostgresLock("x")) }?.code == .invalid)
        }
        #expect(try count(connection) == 1)
    }

    @Test func `a statement that ends the transaction that it is in ends the connection, too`() throws {
        let place = try PostgresPlace()
        for statement in ["COMMIT", "ROLLBACK"] {
            let connection = try place.connect()
            let error = postgresFailure {
                try connection.transaction {
                    try $0.run(statement)
                    try $0.run("SELECT 1")
                }
            }
            #expect(error?.code == .invalid && !connection.isOpen, "\(String(describing: error))")
        }
    }

    @Test func `a transaction that only reads refuses a change`() throws {
        let connection = try PostgresPlace().connect(after: "CREATE TABLE a (n bigint)")
        let error = postgresFailure {
            try connection.transaction(.repeatableRead, readOnly: true) {
                try $0.run("INSERT INTO a VALUES (1)")
            }
        }
        #expect(error?.sqlState == "25006")
        #expect(try count(connection) == 0)
    }

    @Test func `a transaction sees what its isolation says`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(after: "CREATE TABLE a (n bigint)")
        let other = try place.connect()
        for (isolation, expected) in [
            (PostgresIsolation.readCommitted, Int64(1)), (.repeatableRead, 1), (.serializable, 2),
        ] {
            let seen = try connection.transaction(isolation) { transaction in
                _ = try transaction.run("SELECT count(*) FROM a")
                try other.run("INSERT INTO a VALUES (1)")
                return try transaction.run("SELECT count(*) FROM a")[0].integer(0)
            }
            #expect(seen == expected, "\(isolation)")
        }
    }

    /// Each waits until the other has changed a row, and then changes that one.
    private func conflict(_ attempts: Int) throws -> (failures: [PostgresError], sum: Int64) {
        let place = try PostgresPlace()
        let connection = try place.connect(
            after: "CREATE TABLE a (id bigint, n bigint); INSERT INTO a VALUES (1, 0), (2, 0)")
        let failures = try BackgroundTask { _ in
            let (one, two) = (Gate(), Gate())
            let tasks = [(Int64(1), one, two), (2, two, one)].map { first, mine, others in
                BackgroundTask { _ in
                    let own = try place.connect()
                    return postgresFailure {
                        try own.transaction(attempts: attempts) { transaction in
                            let add = "UPDATE a SET n = n + 1 WHERE id = $1"
                            try transaction.run(add, [.integer(first)])
                            mine.signal()
                            // The second time the other one may have ended long ago.
                            _ = others.wait(atMost: .milliseconds(500))
                            try transaction.run(add, [.integer(3 - first)])
                        }
                    }
                }
            }
            return try tasks.compactMap { try $0.value() }
        }.value()
        return (failures, try connection.run("SELECT sum(n)::bigint FROM a")[0].integer(0))
    }

    @Test func `two that wait for each other: one fails, or runs again if that is wanted`() throws {
        let once = try conflict(1)
        #expect(once.failures.map(\.kind) == [.serialization] && once.failures.first?.isRetryable == true)
        #expect(once.failures.first?.sqlState == "40P01" && once.sum == 2)
        let again = try conflict(10)
        #expect(again.failures.isEmpty && again.sum == 4)
    }

    @Test func `additions of several threads at the strictest isolation are all counted`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(after: "CREATE TABLE a (n bigint); INSERT INTO a VALUES (0)")
        try onThreads(4) { _ in
            let own = try place.connect()
            for _ in 0..<25 {
                try own.transaction(.serializable, attempts: 1_000) {
                    let number = try $0.run("SELECT n FROM a")[0].integer(0)
                    try $0.run("UPDATE a SET n = $1", [.integer(number + 1)])
                }
            }
        }
        #expect(try connection.run("SELECT n FROM a")[0].integer(0) == 100)
    }

    // MARK: Locks

    @Test func `a lock is one connection's, by its name, until it is released`() throws {
        let place = try PostgresPlace()
        let (one, two) = (try place.connect(), try place.connect())
        let lock = PostgresLock("\(place.settings.schema) sweeper")
        #expect(lock == PostgresLock("\(place.settings.schema) sweeper") && lock != PostgresLock("sweeper"))
        try one.take(lock)
        #expect(try one.tryTaking(lock) && !two.tryTaking(lock))
        #expect(!one.isReusable && two.isReusable)
        let error = postgresFailure { try two.take(lock, within: .milliseconds(200)) }
        #expect(error?.kind == .timeout && two.isOpen && two.isReusable)
        #expect(try one.release(lock) && !two.tryTaking(lock))
        #expect(try one.release(lock) && one.isReusable)
        #expect(try two.tryTaking(lock))
        #expect(try !one.release(lock))
        // It ends with its connection.
        two.close()
        try one.take(lock, within: .seconds(20))
        #expect(try one.release(lock))
    }

    @Test func `a lock is held for a body, and released when that throws`() throws {
        let place = try PostgresPlace()
        let (one, two) = (try place.connect(), try place.connect())
        let lock = PostgresLock(place.settings.schema)
        let value = try one.holding(lock) {
            let isTaken = try two.tryTaking(lock)
            #expect(!isTaken)
            return 5
        }
        #expect(value == 5)
        #expect(throws: Stop.self) { try one.holding(lock) { throw Stop() } }
        #expect(try two.tryTaking(lock))
    }

    @Test func `a lock of a transaction ends with it`() throws {
        let place = try PostgresPlace()
        let (one, two) = (try place.connect(), try place.connect())
        let lock = PostgresLock(place.settings.schema)
        try one.transaction { transaction in
            try transaction.take(lock)
            let isTaken = try two.transaction { try $0.tryTaking(lock) }
            #expect(!isTaken)
            let error = postgresFailure {
                try two.transaction { try $0.take(lock, within: .milliseconds(100)) }
            }
            #expect(error?.kind == .timeout)
        }
        let isFree = try two.transaction { try $0.tryTaking(lock) }
        #expect(isFree)
    }

    /// The place where several processes elect one that sweeps.
    @Test func `of many that try at once one has the lock`() throws {
        let place = try PostgresPlace()
        let lock = PostgresLock(place.settings.schema)
        let connections = try (0..<8).map { _ in try place.connect() }
        let taken = Gate()
        try onThreads(8) { if try connections[$0].tryTaking(lock) { taken.signal() } }
        #expect(taken.wait(atMost: .zero) && !taken.wait(atMost: .zero))
    }
}
