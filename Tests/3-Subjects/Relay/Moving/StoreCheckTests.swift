import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Records against bytes, and what is done about it.
struct StoreCheckTests {
    private static let day: Int64 = 86_400

    /// Of the model: what embedded records do not find, they see themselves when they are opened.
    private static func model() -> RecordsUnderTest {
        RecordsUnderTest(
            records: ModelRecords(ModelDatabase(quota: nil)), bytes: MemoryBytes(sharesNames: false))
    }

    private static func check(_ store: MovingStore, content: Bool = true, group: Int = 3) -> StoreCheck {
        var check = StoreCheck(store.stores)
        check.readsContent = content
        check.groupSize = group
        check.patience = .milliseconds(10)
        check.clock = { RecordsUnderTest.now + day }
        return check
    }

    private static func repair(_ store: MovingStore) -> StoreRepair {
        var repair = StoreRepair(store.stores)
        repair.readsContent = true
        repair.patience = .zero
        repair.clock = { RecordsUnderTest.now + day }
        return repair
    }

    @Test func `bodies are expected in the order in which they are listed, however small the groups are`()
        throws
    {
        var (seed, generator) = StoreMigrationTests.seeded()
        let records = ModelRecords(ModelDatabase(quota: nil))
        var names: [BodyName] = []
        for number in 0..<90 {
            // Some differ in their last bits only.
            var id = StoredID(high: generator.next(), low: generator.next())
            if number % 15 > 11, let last = names.last {
                id = StoredID(high: last.chunk.high, low: last.chunk.low ^ generator.next() % 9)
            }
            if number % 10 == 0 { id = StoredID(high: id.high >> 40, low: id.low) }
            guard try records.sender(id) == nil else { continue }
            let chunk = NewStoredChunk(id: id, key: StoreFixture.key(1), size: 100, digest: [], hour: 1)
            try records.create(chunk, [])
            guard number % 7 > 0 else { continue }
            let upload = number % 2 == 0 ? 0 : generator.next()
            let reservation = try #require(try records.reserve(id, upload: upload, at: 0, until: 1))
            _ = try records.complete(reservation, StayingBody())
            names.append(reservation.name)
        }
        for size in [1, 5, 1000] {
            var (expected, found) = (ExpectedBodies(records, groupSize: size), [BodyName]())
            while let next = try expected.peek() {
                found.append(next.body.name)
                expected.skip()
            }
            #expect(found == names.sorted(), "seed \(seed), groups of \(size)")
            #expect(try expected.tally.agrees(with: records.usage()), "seed \(seed)")
        }
    }

    @Test(arguments: RecordsFactory.all)
    func `an intact store has no findings`(factory: RecordsFactory) throws {
        var (seed, generator) = StoreMigrationTests.seeded()
        var store = MovingStore(try factory.make(nil))
        try store.fill(60, &generator)
        let report = try Self.check(store).run()
        let usage = try store.records.usage()
        #expect(report.findings == 0 && report.isIntact && report.named.isEmpty, "seed \(seed)")
        #expect(report.records.agrees(with: usage) && report.verifiedBodies == usage.uploaded, "seed \(seed)")
        #expect(
            report.bodies == usage.uploaded && report.bodySize == usage.usedSpace
                && report.incomingBodies == 0)
        #expect(try Self.check(store, content: false).run().verifiedBodies == 0)
    }

    /// Of each kind some.
    private static func damaged() throws -> (MovingStore, [ChunkRecordsContractTests.Announced]) {
        let made = model()
        let store = MovingStore(made)
        let chunks = try (0..<30).map { try made.send($0) }
        for chunk in chunks[0..<3] { try store.lose(chunk.id) }
        for chunk in chunks[3..<5] { try store.damage(chunk.id) }
        try store.damage(chunks[5].id, size: 99)
        for number in 0..<4 {
            try store.bytes.store([UInt8(number)], as: BodyName(chunk: StoredID(), upload: UInt64(number)))
        }
        // Another body of a chunk that has one, too.
        try store.bytes.store([9], as: BodyName(chunk: chunks[9].id, upload: 12))
        // Its last recipient has gone.
        for recipient in chunks[0].recipients { try store.records.acknowledge(recipient.id) }
        return (store, chunks)
    }

    @Test func `a check finds each kind of damage`() throws {
        let (store, chunks) = try Self.damaged()
        var found: [BodyFinding] = []
        let report = try Self.check(store).run { _ in
        } found: {
            found.append($0)
        }
        #expect(report.missing == 3 && report.damaged == 2 && report.wrongSize == 1 && report.unrecorded == 5)
        #expect(report.unrecordedSize == 5 && !report.isIntact && report.verifiedBodies == 24)
        #expect(found.count == 11 && report.named.count == 11 && report.findings == 11)
        func ids(_ kind: BodyFinding.Kind) -> Set<StoredID> {
            Set(found.filter { $0.kind == kind }.map(\.body.chunk))
        }
        #expect(
            ids(.missing) == Set(chunks[0..<3].map(\.id)) && ids(.damaged) == Set(chunks[3..<5].map(\.id)))
        #expect(ids(.wrongSize) == [chunks[5].id])
        // Without their content only two of them are seen.
        let quick = try Self.check(store, content: false).run()
        #expect(quick.damaged == 0 && quick.missing == 3 && quick.wrongSize == 1 && quick.unrecorded == 5)
    }

    @Test func `bodies as young as an upload may be are no findings`() throws {
        let (store, _) = try Self.damaged()
        var check = Self.check(store)
        check.clock = { RecordsUnderTest.now + 3599 }
        var report = try check.run()
        #expect(report.unrecorded == 0 && report.incomingBodies == 5)
        check.clock = { RecordsUnderTest.now + 3600 }
        report = try check.run()
        #expect(report.unrecorded == 5 && report.incomingBodies == 0)
    }

    @Test func `many findings are counted and few are named`() throws {
        let made = Self.model()
        let store = MovingStore(made)
        for number in 0..<60 { try store.lose(try made.send(number).id) }
        for number in 0..<60 {
            try store.bytes.store([1], as: BodyName(chunk: StoredID(), upload: UInt64(number)))
        }
        let report = try Self.check(store).run()
        #expect(report.missing == 60 && report.unrecorded == 60 && report.named.count == 50)
    }

    // MARK: Repair

    @Test func `a repair mends what a check found, and a rehearsal nothing`() throws {
        let (store, chunks) = try Self.damaged()
        var repair = Self.repair(store)
        repair.isRehearsal = true
        let before = (try store.listed, (store.bytes as? MemoryBytes)?.names)
        let planned = try repair.run()
        #expect(try store.listed == before.0 && (store.bytes as? MemoryBytes)?.names == before.1)
        repair.isRehearsal = false
        let report = try repair.run()
        #expect(report.markedChunks == 6 && report.removedDamaged == 3 && report.removedUnrecorded == 5)
        #expect(planned.markedChunks == 6 && planned.removedDamaged == 3 && planned.isRehearsal)
        #expect(planned.removedSize == report.removedSize && report.removedSize == 2 * 100 + 99 + 5)
        let after = try Self.check(store).run()
        #expect(after.findings == 0 && after.verifiedBodies == 24)
        // Their senders can upload them again.
        let made = RecordsUnderTest(records: store.records, bytes: store.bytes)
        for chunk in chunks[0..<6] { #expect(try made.upload(chunk)) }
        for chunk in chunks[1...] { #expect(try made.content(chunk.recipients[0].id) == chunk.content) }
        // And what a sweep removes later is none of these.
        _ = try store.records.expire(before: 0, at: RecordsUnderTest.now + 9000) {
            try store.bytes.remove($0)
        }
        #expect(try Self.check(store).run().verifiedBodies == 30)
    }

    @Test func `no repair removes what an upload may still bring`() throws {
        let (store, _) = try Self.damaged()
        var repair = Self.repair(store)
        repair.age = 0
        repair.clock = { RecordsUnderTest.now + 3599 }
        #expect(try repair.run().removedUnrecorded == 0)
        repair.age = StoreRepair.usualAge
        repair.clock = { RecordsUnderTest.now + Self.day - 1 }
        #expect(try repair.run().removedUnrecorded == 0)
        repair.clock = { RecordsUnderTest.now + Self.day }
        #expect(try repair.run().removedUnrecorded == 5)
    }

    @Test func `a repair in a folder leaves foreign files alone, and bodies that are intact`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunks = try (0..<6).map { try store.send($0) }
        let files = fixture.settings.folder
        let foreign = ["notes.txt", "AAAA", BodyName(chunk: StoredID()).text + ".bak"]
        for name in foreign { try FileSystem().replace(files.appending(name), with: [1]) }
        try FileSystem().makeDirectory(files.appending(BodyName(chunk: StoredID()).text))
        try FileSystem().replace(
            files.appending(BodyName(chunk: StoredID(chunks[0].sender)!).text),
            with: [UInt8](repeating: 1, count: 100))
        try FileSystem().replace(
            files.appending(BodyName(chunk: StoredID(chunks[1].sender)!).text),
            with: [UInt8](repeating: 1, count: 10))
        try FileSystem().remove(files.appending(BodyName(chunk: StoredID(chunks[2].sender)!).text))
        try FileSystem().replace(files.appending(BodyName(chunk: StoredID()).text), with: [1, 2])
        let moving = MovingStore(store.records, store.bytes)
        var repair = StoreRepair(moving.stores)
        repair.readsContent = true
        repair.patience = .zero
        repair.clock = { 1 << 40 }
        let report = try repair.run()
        #expect(report.markedChunks == 3 && report.removedDamaged == 2 && report.removedUnrecorded == 1)
        for name in foreign { #expect(try FileSystem().exists(files.appending(name))) }
        #expect(answer { _ = try store.open(chunks[0].recipients[0]) } == .auth)
        #expect(try store.upload(chunks[0]))
        for chunk in [chunks[0]] + chunks[3...] {
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
        }
        try store.close()
        // What the log says is what a check and a repair go by that leave the log alone.
        try FileSystem().remove(files.appending(BodyName(chunk: StoredID(chunks[3].sender)!).text))
        try FileSystem().replace(
            files.appending(BodyName(chunk: StoredID(chunks[4].sender)!).text),
            with: [UInt8](repeating: 1, count: 100))
        let alone = try RelayStores.reading(
            fixture.settings, ChunkFolder(fixture.settings.folder), alone: true)
        #expect((#expect(throws: XFTPStoreError.self) { try fixture.open() })?.code == .inUse)
        let snapshot = MovingStore(alone.records, alone.bytes)
        #expect(try Self.check(snapshot).run().missing == 3)
        var second = Self.repair(snapshot)
        second.clock = { 1 << 40 }
        let repaired = try second.run()
        #expect(repaired.markedChunks == 4 && repaired.removedDamaged == 1)
        try alone.close()
        let again = try fixture.open()
        #expect(again.startReport.missingBodies == 4 && again.startReport.removedBodies == 0)
        for chunk in [chunks[0], chunks[5]] {
            #expect(try again.content(chunk.recipients[0]) == chunk.content)
        }
        for chunk in chunks[1..<5] { #expect(try again.upload(chunk)) }
        try again.close()
    }

    // MARK: Running relays

    @Test func `what comes and goes during a check is no finding`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<200 { _ = try store.send(number) }
        let moving = MovingStore(
            try EmbeddedSnapshot(try #require(fixture.settings.log)), ChunkFolder(fixture.settings.folder))
        let isOver = Mutex(false)
        try Threads.run(3) { thread in
            guard thread > 0 else {
                defer { isOver.withLock { $0 = true } }
                for _ in 0..<8 {
                    var check = Self.check(moving, group: 20)
                    check.clock = StoreCheck(moving.stores).clock
                    check.patience = .milliseconds(500)
                    let report = try check.run()
                    #expect(report.findings == 0, "\(report)")
                }
                return
            }
            var (number, sent) = (thread * 10_000, [SentChunk]())
            while !isOver.withLock({ $0 }) {
                sent.append(try store.send(number))
                number += 1
                if sent.count > 20 { try store.delete(sent.removeFirst().sender) }
            }
        }
        try store.close()
    }

    @Test func `an outage ends a check as what it is, and an interruption, too`() throws {
        let (store, _) = try Self.damaged()
        (store.bytes as? MemoryBytes)?.reach = .gone
        let failure = #expect(throws: XFTPStoreError.self) { try Self.check(store).run() }
        #expect(failure?.kind == .unavailable)
        (store.bytes as? MemoryBytes)?.reach = .there
        #expect(throws: Interruption.self) { try Self.check(store).run { _ in throw Interruption() } }
        #expect(throws: Interruption.self) { try Self.repair(store).run { _ in throw Interruption() } }
    }
}
