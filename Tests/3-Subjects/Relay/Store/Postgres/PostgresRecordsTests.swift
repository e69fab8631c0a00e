import Synchronization
import TestPeers
import Testing
import ValiseDatabase
import ValiseFailures
import ValisePostgres
import ValiseXFTPWire

@testable import ValiseRelay

/// What records in PostgreSQL do beside what all records promise.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresRecordsTests {
    private static let now = RecordsUnderTest.now

    private func code(_ body: () throws -> Void) -> FailureCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? XFTPStoreError)?.code
        }
    }

    // MARK: The schema

    @Test func `the schema is made once by whoever comes first, and goes without a trace`() throws {
        let place = try PostgresSchemaUnderTest()
        #expect(code { _ = try place.records(migrates: false) } == .unsupported)
        let opened = Mutex<[PostgresRecords]>([])
        try Threads.run(4) { _ in
            let records = try place.records()
            opened.withLock { $0.append(records) }
        }
        _ = try place.records(migrates: false)
        #expect(try opened.withLock { try $0.map { try $0.usage().chunks } } == [0, 0, 0, 0])
        let connection = try place.connect()
        let migrator = try PostgresMigrator(MigrationList(PostgresRecordsSchema.migrations))
        for _ in 0..<2 {
            #expect(try migrator.downgrade(to: nil, on: connection) == ["0001_records"])
            let left = try connection.run(
                """
                SELECT relname::text FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'
                UNION ALL SELECT proname::text FROM pg_proc WHERE pronamespace = $1::regnamespace
                """, [.text(place.settings.schema)])
            #expect(try left.map { try $0.text(0) } == ["migrations"])
            #expect(try migrator.upgrade(on: connection) == ["0001_records"])
        }
    }

    @Test func `a schema of a newer program is refused, and stays`() throws {
        let place = try PostgresSchemaUnderTest()
        let records = try place.records()
        let connection = try place.connect()
        try connection.run("INSERT INTO migrations (name, up_sha256) VALUES ('9999_later', '00')")
        for migrates in [true, false] {
            #expect(code { _ = try place.records(migrates: migrates) } == .newer)
        }
        #expect(try records.usage().chunks == 0)
    }

    // MARK: Names

    @Test func `a chunk has ten thousand recipients at most, which are listed in their order`() throws {
        let place = try PostgresSchemaUnderTest()
        let made = try place.made()
        let chunk = try made.announce(1, recipients: 1)
        func names(_ count: Int) -> [NewStoredRecipient] {
            (0..<count).map { _ in NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9)) }
        }
        var all = chunk.recipients
        for more in [names(5000), names(4998)] {
            try made.records.addRecipients(more, to: chunk.id)
            all += more
        }
        let last = names(1)
        #expect(code { try made.records.addRecipients(names(2), to: chunk.id) } == .noSpace)
        for _ in 0..<2 { try made.records.addRecipients(last, to: chunk.id) }
        #expect(code { try made.records.addRecipients(names(1), to: chunk.id) } == .noSpace)
        all += last
        _ = try made.announce(2)
        var listed: [StoredID: [NewStoredRecipient]] = [:]
        try made.records.forEach(after: nil) {
            #expect(listed[$0.chunk.id] == nil)
            listed[$0.chunk.id] = $0.recipients
            return true
        }
        #expect(listed.count == 2 && listed[chunk.id] == all)
        try made.records.acknowledge(all[0].id)
        try made.records.addRecipients(names(1), to: chunk.id)
        #expect(try made.records.usage().recipients == 10_002)
    }

    @Test func `a number whose body is to be removed is not given once more`() throws {
        let made = try PostgresSchemaUnderTest().made()
        let chunk = try made.announce(1)
        let dead = try #require(try made.reserve(chunk.id, upload: .max, lifetime: 60))
        #expect(dead.name.upload == .max)
        #expect(throws: XFTPStoreError.self) {
            _ = try made.records.expire(before: 0, at: Self.now + 61) { _ in throw MemoryBytes.outage }
        }
        #expect(
            ChunkRecordsContractTests.answer { _ = try made.reserve(chunk.id, upload: .max) } == .timeout)
        #expect(try made.upload(chunk))
        _ = try made.records.expire(before: 0, at: Self.now + 61) { try made.bytes.remove($0) }
        #expect(try made.content(chunk.recipients[0].id) == chunk.content)
    }

    @Test func `a row that no program wrote is an error and no trap`() throws {
        let place = try PostgresSchemaUnderTest()
        let made = try place.made()
        let chunk = try made.send(1)
        let (recipient, other) = (chunk.recipients[0].id, try made.announce(2))
        try place.connect().runScript(
            """
            UPDATE names SET key = '' WHERE ordinal = 1;
            UPDATE names SET kind = 77 WHERE ordinal = 0;
            UPDATE chunks SET size = 1::bigint << 40 WHERE upload IS NOT NULL;
            UPDATE chunks SET status = 1, blocking = 'nonsense' WHERE upload IS NULL
            """, within: .seconds(10))
        let calls: [() throws -> Void] = [
            { _ = try made.records.sender(chunk.id) },
            { _ = try made.records.recipient(recipient) },
            { _ = try made.records.body(ofRecipient: recipient) },
            { _ = try made.reserve(other.id) },
            { try made.records.forEach(after: nil) { _ in true } },
        ]
        for call in calls { #expect(code(call) == .damaged) }
    }

    // MARK: Sweeping

    @Test func `more than a batch expires at once, and only what is old`() throws {
        let place = try PostgresSchemaUnderTest()
        let made = try place.made()
        try place.connect().runScript(
            """
            INSERT INTO chunks (id, size, digest, hour, status, upload)
            SELECT substr(sha256(n::text::bytea), 1, 16), 10, '', n % 3, 0, n FROM generate_series(1, 2400) n;
            INSERT INTO names (id, chunk, ordinal, kind, key) SELECT id, id, 0, 0, sha256(id) FROM chunks;
            INSERT INTO names (id, chunk, ordinal, kind, key)
            SELECT substr(sha256(id), 1, 16), id, 1, 0, sha256(id) FROM chunks;
            UPDATE counters SET chunks = 2400, uploaded = 2400, recipients = 2400 WHERE shard = 3;
            UPDATE space SET total = 24000
            """, within: .seconds(20))
        var removed = Set<BodyName>()
        // The hours 0 and 1 are over, the hour 2 is not.
        let count = try made.records.expire(before: 3 * 3600, at: 0) { removed.insert($0) }
        #expect(count == 1600 && removed.count == 1600)
        let totals = try PostgresTotals(try place.connect())
        #expect(totals.agree && totals.counted == [800, 800, 800] && totals.tombstones == 0)
        #expect(try made.records.statistics().filesExpired == 1600)
    }

    // MARK: Counting

    @Test func `downloads of several processes are counted, and days, weeks and months of chunks`() throws {
        let made = try PostgresSchemaUnderTest().made()
        let chunks = [try made.send(1), try made.send(2)]
        // A Tuesday; the Monday after; the month after.
        let days: [Int64] = [0, 6 * 86_400, 20 * 86_400].map { Self.now + $0 }
        var lines: [String] = []
        for (number, day) in days.enumerated() {
            if let line = try made.records(of: number).endDay(at: day) { lines.append(line) }
            for index in 0..<3 {
                for chunk in chunks { try made.records(of: index).noteDownload(of: chunk.id, at: day) }
                _ = try made.records(of: index).statistics()
            }
        }
        let counters = try made.records.statistics()
        #expect(counters.fileDownloads == 6 && counters.downloadedToday == 2)
        #expect(counters.downloadedThisWeek == 2 && counters.downloadedThisMonth == 2)
        #expect(
            lines == [
                "2023-11-14,2,4,2,0,2,2,,6,0,2,200,0", "2023-11-20,0,0,0,0,2,2,2,6,0,2,200,0",
            ])
        try made.records.remove(.bySender(chunks[0].id), as: .deleted) { _ in }
        try made.records.noteDownload(of: chunks[0].id, at: days[2])
        #expect(try made.records.statistics().fileDownloads == 7, "of a chunk that has gone")
        for _ in 0..<255 { try made.records.noteDownload(of: StoredID(), at: days[2]) }
        #expect(try made.records(of: 1).statistics().fileDownloads == 7)
        try made.records.noteDownload(of: StoredID(), at: days[2])
        #expect(try made.records(of: 1).statistics().fileDownloads == 263, "many are counted at once")
        try made.records.noteDownload(of: chunks[1].id, at: days[2])
        try made.records.close()
        #expect(try made.records(of: 1).statistics().fileDownloads == 264)
    }

    @Test func `a day is ended by one of many`() throws {
        let place = try PostgresSchemaUnderTest()
        let made = try place.made()
        _ = try made.announce(1)
        let lines = Mutex<[String]>([])
        try Threads.run(9) { thread in
            for day in 1...5 {
                if let line = try made.records(of: thread).endDay(at: Self.now + Int64(day) * 86_400) {
                    lines.withLock { $0.append(line) }
                }
                try made.records(of: thread).acknowledge(
                    try made.announce(thread * 10 + day, recipients: 1).recipients[0].id)
            }
        }
        let ended = lines.withLock { $0 }
        #expect(Set(ended.map { $0.prefix(10) }).count == ended.count && (1...5).contains(ended.count))
        // Whatever was counted is in one of the days.
        let created = ended.reduce(try made.records.statistics().filesCreated) {
            $0 + (Int($1.split(separator: ",")[1]) ?? 0)
        }
        #expect(created == 46)
    }
}
