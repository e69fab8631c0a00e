import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// A store that moves is the same store somewhere else.
struct StoreMigrationTests {
    static func seeded() -> (UInt64, SeededGenerator) {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        return (seed, SeededGenerator(seed: seed))
    }

    private static func filled(
        _ factory: RecordsFactory, _ count: Int = 40, _ generator: inout SeededGenerator
    ) throws -> MovingStore {
        var store = MovingStore(try factory.make(nil))
        try store.fill(count, &generator)
        return store
    }

    @Test(arguments: RecordsFactory.all, RecordsFactory.all)
    func `any store moves into any other, chunks of all states`(from: RecordsFactory, to: RecordsFactory)
        throws
    {
        var (seed, generator) = Self.seeded()
        let source = try Self.filled(from, 40, &generator)
        let made = try to.make(nil)
        var destination = MovingStore(made)
        let report = try StoreMigration(source, destination).run()
        #expect(report.isComplete == true && report.createdChunks == report.source.chunks, "seed \(seed)")
        try source.expectCopy(destination, "seed \(seed)")
        if let reopen = made.reopen {
            destination = MovingStore(try reopen(), made.bytes)
            try source.expectCopy(destination, "seed \(seed), opened again")
        }
        let again = try StoreMigration(source, destination).run()
        #expect(again.createdChunks + again.movedBodies + again.removedChunks + again.changedChunks == 0)
        #expect(again.isComplete == true && again.presentBodies == report.movedBodies, "seed \(seed)")
        try source.expectCopy(destination, "seed \(seed), again")
    }

    @Test(arguments: RecordsFactory.all)
    func `a last pass brings in line what changed since the first`(factory: RecordsFactory) throws {
        var (seed, generator) = Self.seeded()
        var source = try Self.filled(factory, 60, &generator)
        for to in [RecordsFactory.all.first, RecordsFactory.all.last].compactMap({ $0 }) {
            let destination = MovingStore(try to.make(nil))
            #expect(try StoreMigration(source, destination, .online).run().comparison == nil)
            for chunk in try source.listed { try source.change(chunk.chunk.id, &generator) }
            try source.fill(10, &generator)
            #expect(try StoreMigration(source, destination, .online).run().removedChunks == 0, "seed \(seed)")
            for chunk in try source.listed { try source.change(chunk.chunk.id, &generator) }
            let report = try StoreMigration(source, destination).run()
            #expect(report.isComplete == true, "seed \(seed): \(report)")
            try source.expectCopy(destination, "seed \(seed)")
        }
    }

    @Test(arguments: RecordsFactory.all)
    func `what the source has lost is counted, and its chunks arrive without it`(factory: RecordsFactory)
        throws
    {
        let made = try factory.make(nil)
        let source = MovingStore(made)
        let chunks = try (0..<6).map { try made.send($0) }
        try source.lose(chunks[1].id)
        try source.damage(chunks[2].id)
        try source.damage(chunks[3].id, size: 60)
        let destination = MovingStore(try RecordsFactory.all[0].make(nil))
        let report = try StoreMigration(source, destination).run()
        // One of another size is none.
        #expect(report.missingBodies == 2 && report.damagedBodies == 1 && report.movedBodies == 3)
        #expect(report.named.count == 3 && report.source.uploaded == 6 && report.isComplete == true)
        try source.expectCopy(destination)
        for chunk in [chunks[0], chunks[4], chunks[5]] {
            let body = try destination.records.body(ofRecipient: chunk.recipients[0].id)
            #expect(try destination.bytes.content(body.name, size: body.size) == chunk.content)
        }
    }

    @Test func `a comparison finds each difference, and damage at the destination`() throws {
        let made = try RecordsFactory.all[0].make(nil)
        let source = MovingStore(made)
        let chunks = try (0..<5).map { try made.send($0) }
        let database = ModelDatabase(quota: nil)
        let destination = MovingStore(ModelRecords(database), MemoryBytes(sharesNames: false))
        #expect(try StoreMigration(source, destination).run().isComplete == true)
        let work = StoreMigrationWork(StoreMigration(source, destination))
        func kinds(_ change: () throws -> Void) throws -> [StoreDifference.Kind] {
            try change()
            try work.verify { _ in }
            #expect(work.report.isComplete == false)
            return try #require(work.report.comparison).named.map(\.kind)
        }
        try destination.damage(chunks[0].id)
        #expect(try kinds {}.isEmpty)
        #expect(work.report.comparison?.check.damaged == 1)
        #expect(
            try kinds { try destination.records.acknowledge(chunks[1].recipients[0].id) } == [
                .otherRecipients
            ])
        let body = try destination.records.body(ofRecipient: chunks[2].recipients[0].id)
        #expect(
            Set(try kinds { try destination.records.markMissing(body) { false } }) == [
                .otherRecipients, .missingBody,
            ])
        let extra = try destination.announceOne()
        #expect(try kinds {}.contains(.surplusChunk))
        try destination.records.remove(.bySender(extra), as: .deleted) { _ in }
        try destination.records.remove(.bySender(chunks[3].id), as: .deleted) { _ in }
        #expect(try kinds {}.contains(.missingChunk))
        try destination.records.remove(
            .byOperator(recipient: chunks[4].recipients[0].id), as: .blocked(BlockingInfo(.spam))
        ) { _ in }
        #expect(try kinds {}.contains(.otherStatus))
        // The next pass mends what it can: nobody unblocks a chunk, so it is made anew.
        try destination.bytes.remove(try #require(try destination.records.listed(chunks[0].id)?.body).name)
        let repaired = try StoreMigration(source, destination).run()
        #expect(repaired.comparison?.differences == 0 && repaired.comparison?.check.missing == 1)
    }

    // MARK: Refusals

    @Test func `a quota that is too small is found before anything is copied`() throws {
        let made = try RecordsFactory.all[0].make(nil)
        for number in 0..<3 { _ = try made.send(number) }
        let small = MovingStore(try RecordsFactory.all[3].make(299))
        let failure = #expect(throws: XFTPStoreError.self) {
            try StoreMigration(MovingStore(made), small).run()
        }
        #expect(failure?.code == .noSpace)
        #expect(try small.listed.isEmpty && small.records.usage().reservedSpace == 0)
        let enough = MovingStore(try RecordsFactory.all[3].make(300))
        #expect(try StoreMigration(MovingStore(made), enough).run().isComplete == true)
    }

    @Test func `a destination that somebody sweeps is in use`() throws {
        let source = MovingStore(try RecordsFactory.all[0].make(nil))
        let destination = MovingStore(try RecordsFactory.all[3].make(nil))
        _ = try destination.records.whileSweeping {
            let failure = #expect(throws: XFTPStoreError.self) {
                try StoreMigration(source, destination).run()
            }
            #expect(failure?.code == .inUse)
        }
        #expect(try StoreMigration(source, destination).run().isComplete == true)
    }

    @Test func `a destination with other chunks under the same names is no copy`() throws {
        let made = try RecordsFactory.all[0].make(nil)
        let chunk = try made.announce(1)
        for other in [
            NewStoredChunk(
                id: chunk.id, key: StoreFixture.key(9), size: 100, digest: chunk.chunk.digest,
                hour: chunk.chunk.hour),
            NewStoredChunk(
                id: chunk.recipients[0].id, key: StoreFixture.key(9), size: 100, digest: [], hour: 1),
        ] {
            let destination = MovingStore(try RecordsFactory.all[3].make(nil))
            try destination.records.create(other, [])
            let failure = #expect(throws: XFTPStoreError.self) {
                try StoreMigration(MovingStore(made), destination, .online).run()
            }
            #expect(failure?.code == .alreadyExists)
        }
    }

    // MARK: Interruption

    @Test(arguments: StoreMigration.Pass.allCases)
    func `an interrupted migration continues where it was`(pass: StoreMigration.Pass) throws {
        var (seed, generator) = Self.seeded()
        let source = try Self.filled(RecordsFactory.all[0], 60, &generator)
        let destination = MovingStore(try RecordsFactory.all[3].make(nil))
        var (reports, rounds) = (0, 0)
        while true {
            var heard = 0
            do {
                _ = try StoreMigration(source, destination, pass).run { _ in
                    heard += 1
                    if heard > reports { throw Interruption() }
                }
                break
            } catch let error as Interruption {
                #expect(error.message.contains("continues from there"))
                reports += 3
                rounds += 1
            }
        }
        #expect(rounds > 2, "seed \(seed)")
        try source.expectCopy(destination, "seed \(seed)")
    }

    /// Answers get lost in the midst of it, with and without what was asked for having been done.
    @Test(arguments: [true, false], [MemoryBytes.Reach.gone, .silent])
    func `outages lose nothing and leave nothing`(isDatabase: Bool, reach: MemoryBytes.Reach) throws {
        var (seed, generator) = Self.seeded()
        let source = try Self.filled(RecordsFactory.all[0], 50, &generator)
        let database = ModelDatabase(quota: nil)
        let bytes = MemoryBytes(sharesNames: false)
        let destination = MovingStore(ModelRecords(database), bytes)
        var failures = 0
        for call in 0..<40 {
            // A moment of the source's is one in which the destination goes away: before a body, in its midst, at its end.
            let calls = Mutex(0)
            let hooked = HookedBytes(source.bytes) {
                guard
                    calls.withLock({
                        $0 += 1; return $0
                    }) == call + 1
                else { return }
                if isDatabase { database.reach = reach } else { bytes.reach = reach }
            }
            do {
                var migration = StoreMigration(MovingStore(source.records, hooked), destination, .online)
                migration.threads = 1
                _ = try migration.run()
            } catch let error as XFTPStoreError {
                #expect(error.kind == .unavailable)
                failures += 1
            }
            (database.reach, bytes.reach) = (.there, .there)
        }
        #expect(failures > 4, "seed \(seed)")
        var last = StoreMigration(source, destination)
        // What was reserved meanwhile is free after its time.
        last.clock = { RecordsUnderTest.now + 3601 }
        #expect(try last.run().isComplete == true, "seed \(seed)")
        try source.expectCopy(destination, "seed \(seed)")
    }
}

extension MovingStore {
    func announceOne() throws -> StoredID {
        try RecordsUnderTest(records: records, bytes: bytes).announce(77).id
    }
}
