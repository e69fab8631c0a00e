import FaultInjection
import Synchronization
import TestPeers
import Testing
import ValiseFiles
import ValisePostgres
import ValiseXFTPWire

@testable import ValiseRelay

/// What is left, and what clients hear, when the server stops, crashes, freezes or has no place.
@Suite(.serialized, .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresOutageTests {
    private typealias Announced = ChunkRecordsContractTests.Announced

    private static let now = RecordsUnderTest.now
    /// These tests have it alone.
    private static let server = Result { try PostgresServer() }

    private func place() throws -> PostgresSchemaUnderTest {
        try PostgresSchemaUnderTest(try Self.server.get())
    }

    /// The same where nobody waits for long.
    private func hasty(_ place: PostgresSchemaUnderTest) -> PostgresSchemaUnderTest {
        var place = place
        place.settings.connectTimeout = .milliseconds(900)
        place.settings.statementTimeout = .milliseconds(900)
        place.settings.cancelPatience = .milliseconds(200)
        return place
    }

    private func answer(_ body: () throws -> Void) -> XFTPErrorCode? {
        ChunkRecordsContractTests.answer(body)
    }

    /// Connects as a user of its own, whom the server can refuse.
    private func userPlace() throws -> PostgresSchemaUnderTest {
        let place = try place()
        let user = place.settings.schema
        try place.connect().runScript(
            "CREATE ROLE \(user) LOGIN CONNECTION LIMIT 1; GRANT CREATE ON DATABASE postgres TO \(user)",
            within: .seconds(10))
        return try place.of(user)
    }

    // MARK: What clients hear

    /// With each answer but `TIMEOUT` a client gives a file up.
    @Test(arguments: [PostgresServer.Event.stop, .crash, .freeze])
    func `while the server is out of reach every call says so`(event: PostgresServer.Event) throws {
        let place = try place()
        let made = try place.made()
        let (chunk, announced, other) = (
            try made.send(1), try made.announce(2), ChunkRecordsContractTests.chunk(3)
        )
        let reservation = try #require(try made.reserve(announced.id))
        let body = try made.body(announced.content, for: reservation)
        let recipient = chunk.recipients[0].id
        let records = try hasty(place).records(migrates: false)
        func reserve() throws {
            _ = try records.reserve(announced.id, upload: 7, at: Self.now, until: Self.now + 60)
        }
        let calls: [() throws -> Void] = [
            { _ = try records.recipient(recipient) },
            { _ = try records.body(ofRecipient: recipient) },
            { try records.create(other.chunk, other.recipients) },
            { _ = try records.complete(reservation, body) },
            { try reserve() },
            { try records.release(reservation) },
            { _ = try records.sender(chunk.id) },
            { try records.acknowledge(recipient) },
            { try records.addRecipients(other.recipients, to: chunk.id) },
            { try records.remove(.bySender(chunk.id), as: .deleted) { _ in Issue.record("removed") } },
            { _ = try records.expire(before: .max >> 1, at: 0) { _ in Issue.record("removed") } },
            { _ = try records.whileSweeping { Issue.record("elected") } },
            { try records.forEach(after: nil) { _ in true } },
            { _ = try records.usage() },
            { _ = try records.statistics() },
        ]
        try place.server.perform(event)
        let start = ContinuousClock.now
        // Where nobody answers, each takes its time.
        for (number, call) in calls.prefix(event == .freeze ? 3 : calls.count).enumerated() {
            #expect(answer(call) == .timeout, "call \(number)")
        }
        for _ in 0..<300 { try records.noteDownload(of: chunk.id, at: Self.now) }
        #expect(ContinuousClock.now - start < .seconds(12))
        try place.server.perform(event == .freeze ? .thaw : .start)
        #expect(try made.content(recipient) == chunk.content)
        #expect(try records.statistics().fileDownloads == 300)
        #expect(try records.usage().chunks == 2)
        #expect(try made.upload(announced))
        #expect(try PostgresTotals(place.connect()).agree)
    }

    @Test func `without a place for a connection, or a right to one, clients are told to come again`() throws
    {
        let place = try userPlace()
        let records = try place.records()
        let chunk = ChunkRecordsContractTests.chunk(1)
        // An ordinary user may do all that is done.
        try records.create(chunk.chunk, chunk.recipients)
        #expect(try records.reserve(chunk.id, upload: 1, at: Self.now, until: Self.now + 60) != nil)
        #expect(answer { _ = try place.records() } == .timeout, "too many connections")
        try records.close()
        let owner = try self.place().connect()
        let user = place.settings.schema
        try owner.runScript("ALTER ROLE \(user) CONNECTION LIMIT 10", within: .seconds(10))
        let other = try place.records()
        try owner.runScript("ALTER ROLE \(user) NOLOGIN", within: .seconds(10))
        try owner.run(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = $1",
            [.text(user)])
        #expect(answer { _ = try other.sender(chunk.id) } == .timeout, "no right to connect")
        try owner.runScript("ALTER ROLE \(user) LOGIN", within: .seconds(10))
        #expect(try other.sender(chunk.id) != nil)
        try owner.runScript("REVOKE ALL ON SCHEMA \(user) FROM \(user)", within: .seconds(10))
        try owner.runScript("ALTER SCHEMA \(user) OWNER TO valise", within: .seconds(10))
        #expect(answer { _ = try other.sender(chunk.id) } == .timeout, "no right to tables")
    }

    @Test func `whoever waits for a lock too long is told to come again, and changes nothing`() throws {
        let place = try place()
        let made = try place.made()
        let chunk = try made.announce(1)
        let connection = try place.connect()
        try connection.transaction {
            try $0.run("SELECT total FROM space FOR UPDATE")
            let records = try hasty(place).records(migrates: false)
            #expect(
                answer { _ = try records.reserve(chunk.id, upload: 7, at: Self.now, until: Self.now) }
                    == .timeout)
        }
        #expect(try PostgresTotals(connection).space == (0, 0))
        #expect(try made.upload(chunk))
    }

    // MARK: What is left

    /// The log of the server is lost up to what was flushed.
    @Test func `what a call has made outlives a crash at once`() throws {
        let place = try place()
        let made = try place.made()
        let records = made.records
        func crash() throws {
            try place.server.perform(.crash)
            try place.server.perform(.start)
        }
        let chunk = try made.announce(1)
        try crash()
        let reservation = try #require(try made.reserve(chunk.id))
        try crash()
        #expect(try records.usage().reservedSpace == 100)
        #expect(try records.complete(reservation, try made.body(chunk.content, for: reservation)))
        try crash()
        #expect(try made.content(chunk.recipients[0].id) == chunk.content)
        try records.remove(.bySender(chunk.id), as: .deleted) { _ in throw MemoryBytes.outage }
        try crash()
        #expect(try records.sender(chunk.id) == nil)
        let totals = try PostgresTotals(place.connect())
        #expect(totals.agree && totals.counted == [0, 0, 0] && totals.tombstones == 1)
        _ = try records.expire(before: 0, at: Self.now) { try made.bytes.remove($0) }
        #expect(try made.names().stored.isEmpty)
    }

    /// What a thread was told, and what it had asked for and does not know.
    private struct Heard: Sendable {
        var uploaded: [Announced] = []
        var deleted: [Announced] = []
        var failures = 0
    }

    @Test func `nothing that was acknowledged is lost while the server crashes and stops`() throws {
        let place = try place()
        let made = try place.made()
        let heard = Mutex(Heard())
        let isOver = Atomic(false)
        try Threads.run(5) { thread in
            if thread == 0 {
                defer { isOver.store(true, ordering: .sequentiallyConsistent) }
                for event in [PostgresServer.Event.crash, .stop, .crash] {
                    FileSystem.wait(.milliseconds(300))
                    try place.server.perform(event)
                    FileSystem.wait(.milliseconds(50))
                    try place.server.perform(.start)
                }
                FileSystem.wait(.milliseconds(200))
                return
            }
            let records = made.records(of: thread)
            for number in 0... {
                if isOver.load(ordering: .sequentiallyConsistent) { return }
                let chunk = ChunkRecordsContractTests.chunk(number, recipients: 1)
                let failure = answer {
                    try records.create(chunk.chunk, chunk.recipients)
                    try made.upload(chunk, in: records)
                    guard number % 3 == 0 else { return heard.withLock { $0.uploaded.append(chunk) } }
                    try records.remove(.bySender(chunk.id), as: .deleted) { try made.bytes.remove($0) }
                    heard.withLock { $0.deleted.append(chunk) }
                }
                #expect(failure == nil || failure == .timeout)
                if failure == nil { continue }
                heard.withLock { $0.failures += 1 }
                FileSystem.wait(.milliseconds(5))
            }
        }
        let all = heard.withLock { $0 }
        #expect(all.failures > 0 && all.uploaded.count > 20 && all.deleted.count > 5)
        for chunk in all.uploaded { #expect(try made.content(chunk.recipients[0].id) == chunk.content) }
        for chunk in all.deleted { #expect(try made.records.sender(chunk.id) == nil) }
        _ = try made.records.expire(before: 0, at: Self.now + 3601) { try made.bytes.remove($0) }
        let (names, totals) = (try made.names(), try PostgresTotals(place.connect()))
        #expect(names.known == names.stored && totals.agree && totals.tombstones == 0)
        #expect(totals.space.counted == Int64(names.known.count * 100))
    }

    @Test func `an election ends with the connection that has it`() throws {
        let place = try place()
        let made = try place.made()
        for number in 0..<3 { _ = try made.send(number) }
        let server = place.server
        let isElected = try made.records.whileSweeping {
            #expect(try !made.records(of: 1).whileSweeping { Issue.record("two at a time") })
            try server.perform(.stop)
            try server.perform(.start)
            var removed = 0
            let failure = answer {
                _ = try made.records.expire(before: .max >> 1, at: 0) { _ in removed += 1 }
            }
            #expect(failure == .timeout && removed == 0, "it sweeps without being elected")
            #expect(
                try made.records(of: 1).whileSweeping {
                    _ = try made.records(of: 1).expire(before: .max >> 1, at: 0) {
                        try made.bytes.remove($0)
                    }
                })
        }
        #expect(isElected)
        #expect(try made.names().stored.isEmpty && made.records.usage().chunks == 0)
        #expect(try made.records.whileSweeping {})
    }
}
