import Foundation
import Synchronization
import TestPeers
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

@testable import ValisePostgres

/// Connections that many threads borrow.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresPoolTests {
    private func pool(_ connections: Int, _ place: PostgresPlace) -> PostgresPool {
        PostgresPool(place.settings, PostgresPool.Limits(connections: connections))
    }

    @Test func `32 threads with 8 connections add exactly`() throws {
        let place = try PostgresPlace()
        let connection = try place.connect(
            after:
                "CREATE TABLE counters (id bigint PRIMARY KEY, n bigint); INSERT INTO counters VALUES (1, 0), (2, 0), (3, 0)"
        )
        let pool = pool(8, place)
        let inUse = Atomic(0)
        let most = Mutex(0)
        let backends = Mutex<Set<Int64>>([])
        try onThreads(32) { _ in
            for turn in 0..<40 {
                try pool.withConnection(within: .seconds(60)) { connection in
                    let now = inUse.add(1, ordering: .sequentiallyConsistent).newValue
                    most.withLock { $0 = max($0, now) }
                    defer { inUse.subtract(1, ordering: .sequentiallyConsistent) }
                    // One statement; a transaction that reads and writes; one that would lose additions if it were not alone.
                    try connection.run("UPDATE counters SET n = n + 1 WHERE id = 1")
                    try connection.transaction {
                        let number = try $0.run("SELECT n FROM counters WHERE id = 2 FOR UPDATE")[0].integer(
                            0)
                        try $0.run("UPDATE counters SET n = $1 WHERE id = 2", [.integer(number + 1)])
                    }
                    if turn % 10 == 0 {
                        let backend = try connection.backend()
                        backends.withLock { _ = $0.insert(backend) }
                    }
                }
                if turn % 8 == 0 {
                    try pool.transaction(.serializable, attempts: 10_000) {
                        let number = try $0.run("SELECT n FROM counters WHERE id = 3")[0].integer(0)
                        try $0.run("UPDATE counters SET n = $1 WHERE id = 3", [.integer(number + 1)])
                    }
                }
            }
        }
        let rows = try connection.run("SELECT n FROM counters ORDER BY id")
        #expect(try rows.map { try $0.integer(0) } == [1280, 1280, 160])
        #expect(most.withLock { $0 } == 8)
        #expect(backends.withLock { (1...8).contains($0.count) }, "connections are kept")
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 8, waiting: 0))
    }

    @Test func `a borrower that waits too long is refused, and leaves no trace`() throws {
        let pool = pool(1, try PostgresPlace())
        let held = Gate()
        let (taken, release) = (Gate(), Gate())
        let holder = BackgroundTask { _ in
            try pool.withConnection { _ in
                taken.signal()
                release.wait()
            }
            held.signal()
        }
        taken.wait()
        let start = ContinuousClock.now
        let error = postgresFailure { try pool.withConnection(within: .milliseconds(200)) { _ in } }
        #expect(error?.kind == .busy && error?.code == .inUse && error?.isOutage == false)
        #expect(ContinuousClock.now - start > .milliseconds(190))
        #expect(pool.counts == PostgresPool.Counts(borrowed: 1, idle: 0, waiting: 0))
        let waiter = BackgroundTask { _ in try pool.withConnection(within: .seconds(30)) { try $0.backend() }
        }
        while pool.counts.waiting == 0 { FileSystem.wait(.milliseconds(1)) }
        release.signal()
        #expect(try waiter.value() > 0)
        try holder.value()
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 1, waiting: 0))
    }

    @Test func `the one that waits longest is first`() throws {
        let pool = pool(1, try PostgresPlace())
        let order = Mutex<[Int]>([])
        let waiters = try pool.withConnection { _ in
            (0..<4).map { number in
                let waiter = BackgroundTask { _ in
                    try pool.withConnection(within: .seconds(30)) { _ in order.withLock { $0.append(number) }
                    }
                }
                while pool.counts.waiting <= number { FileSystem.wait(.milliseconds(1)) }
                return waiter
            }
        }
        for waiter in waiters { try waiter.value() }
        #expect(order.withLock { $0 } == [0, 1, 2, 3])
    }

    @Test func `what is prepared stays with its connection`() throws {
        let pool = pool(1, try PostgresPlace())
        for _ in 0..<3 { try pool.run([PostgresStatement("SELECT 12345")]) }
        let known = try pool.withConnection {
            try $0.run("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT 12345'")[0]
                .integer(0)
        }
        #expect(known == 1)
    }

    @Test func `a connection that comes back with a transaction, a lock or broken is not lent again`() throws
    {
        let place = try PostgresPlace()
        let pool = pool(1, place)
        let lock = PostgresLock(place.settings.schema)
        var backends: [Int64] = []
        try pool.withConnection {
            backends.append(try $0.backend())
            try $0.runScript("BEGIN", within: .seconds(5))
        }
        try pool.withConnection {
            backends.append(try $0.backend())
            #expect(try $0.tryTaking(lock))
        }
        try pool.withConnection {
            backends.append(try $0.backend())
            try $0.take(lock, within: .seconds(20))
            try $0.release(lock)
            $0.close()
        }
        try pool.withConnection { connection in
            backends.append(try connection.backend())
            #expect(
                postgresFailure {
                    try connection.run("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)")
                } != nil)
        }
        try pool.withConnection { backends.append(try $0.backend()) }
        #expect(Set(backends).count == 5)
        // One that is as it was is lent again.
        let again = try pool.withConnection { try $0.backend() }
        #expect(again == backends.last)
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 1, waiting: 0))
    }

    @Test func `an idle connection that the server ended is replaced before anybody has it`() throws {
        let place = try PostgresPlace()
        let pool = pool(2, place)
        let other = try place.connect()
        for _ in 0..<20 {
            let backend = try pool.withConnection { try $0.backend() }
            try other.run("SELECT pg_terminate_backend($1::integer, 5000)", [.integer(backend)])
            #expect(try pool.withConnection { try $0.run("SELECT 1")[0].integer(0) } == 1)
        }
    }

    @Test func `after a while of rest a connection is asked first`() throws {
        let server = try PostgresServer()
        let place = try PostgresPlace(server)
        var limits = PostgresPool.Limits(connections: 8)
        limits.idleTime = .milliseconds(50)
        limits.checkPatience = .milliseconds(200)
        var settings = place.settings
        settings.connectTimeout = .milliseconds(300)
        settings.cancelPatience = .milliseconds(200)
        let pool = PostgresPool(settings, limits)
        let first = try pool.withConnection { try $0.backend() }
        FileSystem.wait(.milliseconds(100))
        #expect(try pool.withConnection { try $0.backend() } == first)
        let (held, together) = (Gate(), Gate())
        let holders = (0..<8).map { _ in
            BackgroundTask { _ in
                try pool.withConnection { _ in
                    held.signal()
                    together.wait()
                }
            }
        }
        for _ in holders { held.wait() }
        for _ in holders { together.signal() }
        for holder in holders { try holder.value() }
        #expect(pool.counts.idle == 8)
        try server.perform(.freeze)
        FileSystem.wait(.milliseconds(100))
        let start = ContinuousClock.now
        // The network between us may swallow everything: the socket alone does not tell.
        let error = postgresFailure {
            try pool.withConnection { _ in
                Issue.record("a frozen server was lent")
            }
        }
        #expect(error?.isOutage == true)
        // One of eight is asked, and a new one is tried.
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 0, waiting: 0))
        try server.perform(.thaw)
        #expect(try pool.withConnection { try $0.run("SELECT 1")[0].integer(0) } == 1)
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 1, waiting: 0))
        server.end()
    }

    @Test(arguments: [PostgresServer.Event.stop, .crash])
    func `a server that restarts under a pool is an outage, and then it goes on`(
        _ event: PostgresServer.Event
    ) throws {
        let server = try PostgresServer()
        let place = try PostgresPlace(server)
        try place.connect(after: "CREATE TABLE a (id bigint PRIMARY KEY)").close()
        let pool = pool(4, place)
        let acknowledged = Mutex<Set<Int64>>([])
        let unknown = Mutex<Set<Int64>>([])
        let outages = Atomic(0)
        let done = Cancellation()
        let next = Atomic(Int64(0))
        let work = BackgroundTask { _ in
            try onThreads(8) { _ in
                while !done.isCancelled {
                    let id = next.add(1, ordering: .relaxed).newValue
                    let error = postgresFailure {
                        try pool.run([PostgresStatement("INSERT INTO a VALUES ($1)", [.integer(id)])])
                    }
                    guard let error else {
                        acknowledged.withLock { _ = $0.insert(id) }
                        continue
                    }
                    #expect(error.isOutage, "\(error)")
                    if error.mayHaveTakenEffect { unknown.withLock { _ = $0.insert(id) } }
                    outages.add(1, ordering: .relaxed)
                    FileSystem.wait(.milliseconds(10))
                }
            }
        }
        func acknowledgedCount() -> Int { acknowledged.withLock { $0.count } }
        func wait(_ what: String, _ condition: () -> Bool) {
            let start = ContinuousClock.now
            while !condition(), ContinuousClock.now - start < .seconds(30) {
                FileSystem.wait(.milliseconds(5))
            }
            #expect(condition(), "\(what)")
        }
        for _ in 0..<3 {
            let before = acknowledgedCount()
            wait("it works") { acknowledgedCount() > before + 50 }
            let failed = outages.load(ordering: .relaxed)
            try server.perform(event)
            wait("the outage is seen") { outages.load(ordering: .relaxed) > failed + 8 }
            try server.perform(.start)
            let restarted = acknowledgedCount()
            wait("it works again") { acknowledgedCount() > restarted + 50 }
        }
        done.cancel()
        try work.value()
        let stored = try Set(place.connect().run("SELECT id FROM a").map { try $0.integer(0) })
        let known = acknowledged.withLock { $0 }
        #expect(known.subtracting(stored).isEmpty, "what was acknowledged is there")
        #expect(
            stored.subtracting(known).isSubset(of: unknown.withLock { $0 }), "what was refused is not there")
        #expect(pool.counts.borrowed == 0 && pool.counts.waiting == 0)
        server.end()
    }

    @Test func `connections that are killed at any moment lose nothing and double nothing`() throws {
        let place = try PostgresPlace()
        try place.connect(after: "CREATE TABLE a (id bigint PRIMARY KEY)").close()
        var settings = place.settings
        settings.applicationName = "victim \(place.settings.schema)"
        let pool = PostgresPool(settings, PostgresPool.Limits(connections: 4))
        let acknowledged = Mutex<Set<Int64>>([])
        let unknown = Mutex<Set<Int64>>([])
        let done = Cancellation()
        let killer = BackgroundTask { [name = settings.applicationName] _ in
            let other = try place.connect()
            var killed: Int64 = 0
            while !done.isCancelled {
                killed += try other.run(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM
                        (SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY random() LIMIT 1) AS one
                    """, [.text(name)])[0].integer(0)
                FileSystem.wait(.milliseconds(3))
            }
            return killed
        }
        try onThreads(8) { thread in
            for turn in 0..<150 {
                let id = Int64(thread * 1_000 + turn)
                let error = postgresFailure {
                    try pool.transaction {
                        try $0.run("INSERT INTO a VALUES ($1)", [.integer(id)])
                        try $0.run("UPDATE a SET id = id WHERE id = $1", [.integer(id)])
                    }
                }
                if let error {
                    #expect(error.isOutage, "\(error)")
                    if error.mayHaveTakenEffect { unknown.withLock { _ = $0.insert(id) } }
                } else {
                    acknowledged.withLock { _ = $0.insert(id) }
                }
            }
        }
        done.cancel()
        #expect(try killer.value() > 10)
        let stored = try Set(place.connect().run("SELECT id FROM a").map { try $0.integer(0) })
        let known = acknowledged.withLock { $0 }
        #expect(known.subtracting(stored).isEmpty && known.count > 100)
        #expect(stored.subtracting(known).isSubset(of: unknown.withLock { $0 }))
        #expect(pool.counts.borrowed == 0 && pool.counts.waiting == 0)
    }

    @Test func `a closed pool refuses, and waits for those who have a connection`() throws {
        let pool = pool(1, try PostgresPlace())
        let (taken, release) = (Gate(), Gate())
        let holder = BackgroundTask { _ in
            try pool.withConnection { connection in
                taken.signal()
                release.wait()
                // It has it until it gives it back.
                return try connection.run("SELECT 1")[0].integer(0)
            }
        }
        taken.wait()
        let waiter = BackgroundTask { _ in
            postgresFailure { try pool.withConnection(within: .seconds(30)) { _ in } }
        }
        while pool.counts.waiting == 0 { FileSystem.wait(.milliseconds(1)) }
        #expect(!pool.close(within: .milliseconds(100)))
        #expect(try waiter.value()?.kind == .closed)
        #expect(postgresFailure { try pool.withConnection { _ in } }?.kind == .closed)
        release.signal()
        #expect(pool.close(within: .seconds(30)))
        #expect(try holder.value() == 1)
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 0, waiting: 0))
        #expect(pool.close(within: .zero))
    }

    @Test func `a server that is not there refuses each borrower, and takes no place`() throws {
        let settings = try PostgresSettings(PostgresAddress("host=/nowhere"), schema: "a")
        let pool = PostgresPool(settings, PostgresPool.Limits(connections: 2))
        try onThreads(8) { _ in
            for _ in 0..<5 {
                #expect(
                    postgresFailure { try pool.run([PostgresStatement("SELECT 1")]) }?.kind == .unreachable)
            }
        }
        #expect(pool.counts == PostgresPool.Counts(borrowed: 0, idle: 0, waiting: 0))
    }
}
