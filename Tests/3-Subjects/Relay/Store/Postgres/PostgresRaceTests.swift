import FaultInjection
import Synchronization
import TestPeers
import Testing
import ValiseFiles
import ValisePostgres
import ValiseXFTPWire

@testable import ValiseRelay

/// Random operations of many threads and three processes at once, whose connections end at any moment, against what has to be true
/// at every moment.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresRaceTests {
    private typealias Announced = ChunkRecordsContractTests.Announced

    /// What all threads share.
    private final class World: Sendable {
        static let quota: Int64 = 1000
        static let lifetime: Int64 = 4 * 3600

        let place: PostgresSchemaUnderTest
        let made: RecordsUnderTest
        let chunks: Mutex<[Announced]>
        let now = Atomic(RecordsUnderTest.now)
        /// What was created before this hour has expired, and the sweep has returned.
        let firstYoungHour = Atomic<Int64>(0)
        let isOver = Atomic(false)
        let refused = Atomic(0)
        let completed = Atomic(0)
        let interrupted = Atomic(0)

        init() throws {
            place = try PostgresSchemaUnderTest(quota: Self.quota)
            let made = try place.made()
            self.made = made
            chunks = Mutex(try (0..<24).map { try made.announce($0) })
        }

        var hour: UInt32 { UInt32(now.load(ordering: .sequentiallyConsistent) / 3600) }
    }

    @Test func `space, deadlines and expiry are exact whatever many do at the same moment`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        let world = try World()
        try Threads.run(9) { thread in
            var generator = SeededGenerator(seed: seed &+ UInt64(thread))
            switch thread {
            case 0: try Self.watch(world, seed)
            case 1: try Self.disturb(world, &generator)
            case 2:
                defer { world.isOver.store(true, ordering: .sequentiallyConsistent) }
                for _ in 0..<60 { try Self.passTime(world, &generator) }
            default:
                while !world.isOver.load(ordering: .sequentiallyConsistent) {
                    Self.act(world, thread, &generator, seed)
                }
            }
        }
        let counts = [
            world.refused.load(ordering: .relaxed), world.completed.load(ordering: .relaxed),
            world.interrupted.load(ordering: .relaxed),
        ]
        #expect(counts.allSatisfy { $0 > 0 }, "seed \(seed): \(counts)")
        try Self.checkEnd(world, seed)
    }

    /// One statement sees one moment.
    private static func watch(_ world: World, _ seed: UInt64) throws {
        let connection = try world.place.connect()
        while !world.isOver.load(ordering: .sequentiallyConsistent) {
            let totals = try PostgresTotals(connection)
            guard totals.agree, totals.space.counted <= World.quota else {
                Issue.record("seed \(seed): \(totals)")
                return
            }
        }
    }

    /// Connections end, so that answers are lost and transactions rolled back.
    private static func disturb(_ world: World, _ generator: inout SeededGenerator) throws {
        let connection = try world.place.connect()
        while !world.isOver.load(ordering: .sequentiallyConsistent) {
            FileSystem.wait(.milliseconds(Int.random(in: 1...40, using: &generator)))
            try connection.run(
                """
                SELECT count(pg_terminate_backend(pid)) FROM (
                    SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY random() LIMIT 1
                ) one
                """, [.text(world.place.settings.schema)])
        }
    }

    private static func passTime(_ world: World, _ generator: inout SeededGenerator) throws {
        FileSystem.wait(.milliseconds(Int.random(in: 1...60, using: &generator)))
        let now = world.now.add(.random(in: 0..<2000, using: &generator), ordering: .sequentiallyConsistent)
            .newValue
        let records = world.made.records(of: Int.random(in: 0..<3, using: &generator))
        let limit = now - World.lifetime
        do {
            let isElected = try records.whileSweeping {
                _ = try records.expire(before: limit, at: now) { try world.made.bytes.remove($0) }
            }
            if isElected {
                world.firstYoungHour.store((limit + 3599) / 3600 - 1, ordering: .sequentiallyConsistent)
            }
        } catch {
            #expect((error as? XFTPStoreError)?.kind == .unavailable)
        }
    }

    private static func act(
        _ world: World, _ thread: Int, _ generator: inout SeededGenerator, _ seed: UInt64
    ) {
        let records = world.made.records(of: thread)
        let index = Int.random(in: 0..<24, using: &generator)
        let chunk = world.chunks.withLock { $0[index] }
        let firstYoungHour = world.firstYoungHour.load(ordering: .sequentiallyConsistent)
        let action = Int.random(in: 0..<20, using: &generator)
        let answer = ChunkRecordsContractTests.answer {
            try perform(action, world, records, index, chunk, &generator)
        }
        switch answer {
        case nil, .auth?, .noFile?, .blocked?: break
        case .quota?: world.refused.add(1, ordering: .relaxed)
        case .timeout?: world.interrupted.add(1, ordering: .relaxed)
        case let other?: Issue.record("seed \(seed), action \(action): \(other)")
        }
        if (15..<18).contains(action), Int64(chunk.chunk.hour) < firstYoungHour {
            #expect(answer == .auth || answer == .timeout, "seed \(seed): readable after its expiry")
        }
    }

    private static func perform(
        _ action: Int, _ world: World, _ records: any ChunkRecords, _ index: Int, _ chunk: Announced,
        _ generator: inout SeededGenerator
    ) throws {
        let made = world.made
        let now = world.now.load(ordering: .sequentiallyConsistent)
        let recipient = chunk.recipients[0].id
        let information = BlockingInfo(.spam)
        switch action {
        case 0..<8:
            let lifetime = Int64.random(in: 0..<3000, using: &generator)
            guard
                let reservation = try records.reserve(
                    chunk.id, upload: .random(in: 1 ... .max), at: now, until: now + lifetime)
            else { return }
            // Some processes are gone, some give back, some come twice.
            if action == 0 { return }
            if action == 1 { return try records.release(reservation) }
            let body = try made.body(chunk.content, for: reservation)
            if try records.complete(reservation, body) { world.completed.add(1, ordering: .relaxed) }
            if action == 2 { #expect(try !records.complete(reservation, body)) }
        case 8..<12:
            let announced = ChunkRecordsContractTests.chunk(index, hour: world.hour)
            try records.create(announced.chunk, announced.recipients)
            world.chunks.withLock { $0[index] = announced }
        case 12:
            try records.remove(.bySender(chunk.id), as: .deleted) { try made.bytes.remove($0) }
        case 13:
            let removal: ChunkRemoval = Bool.random(using: &generator) ? .deleted : .blocked(information)
            try records.remove(.byOperator(recipient: recipient), as: removal) { try made.bytes.remove($0) }
        case 14:
            let body = try records.body(ofRecipient: recipient)
            try made.bytes.remove(body.name)
            try records.markMissing(body) { try made.bytes.open(body.name, size: body.size) != nil }
        case 15..<18: _ = try records.body(ofRecipient: recipient)
        case 18:
            let more = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(9))
            try records.addRecipients([more], to: chunk.id)
            try records.acknowledge(more.id)
        default: try records.noteDownload(of: chunk.id, at: now)
        }
    }

    /// Whatever was interrupted is found when its time is over.
    private static func checkEnd(_ world: World, _ seed: UInt64) throws {
        let connection = try world.place.connect()
        let records = try world.place.records()
        let far = RecordsUnderTest.now + 1_000_000
        _ = try records.expire(before: 0, at: far) { try world.made.bytes.remove($0) }
        var totals = try PostgresTotals(connection)
        #expect(totals.agree && totals.tombstones == 0, "seed \(seed): \(totals)")
        #expect(try records.usage().reservedSpace == 0)
        let names = try world.made.names()
        #expect(names.known == names.stored, "seed \(seed)")
        _ = try records.expire(before: far, at: far) { try world.made.bytes.remove($0) }
        totals = try PostgresTotals(connection)
        #expect(
            totals.agree && totals.space.counted == 0 && totals.counted == [0, 0, 0]
                && totals.tombstones == 0, "seed \(seed): \(totals)")
        #expect(try world.made.names().stored.isEmpty, "seed \(seed)")
    }
}
