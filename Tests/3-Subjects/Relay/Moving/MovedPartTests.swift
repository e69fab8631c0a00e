import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Records that move while bodies stay, and bodies that move while records stay.
struct MovedPartTests {
    @Test func `records move from a log into a database, and back, over the same bodies`() throws {
        var (seed, generator) = StoreMigrationTests.seeded()
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var source = MovingStore(store.records, store.bytes)
        try source.fill(40, &generator)
        let bodies = try TemporaryFolder.contents(of: fixture.settings.folder)
        // PostgreSQL where it is installed.
        let made = try #require(RecordsFactory.all.last).make(nil)
        let database = MovingStore(made.records, store.bytes)
        for pass in [StoreMigration.Pass.online, .final] {
            let report = try StoreMigration(source, database, pass, scope: .records).run()
            #expect(report.movedBytes == 0 && report.isComplete ?? true, "seed \(seed): \(report)")
        }
        // One that is treated as unknown may have a body, which its new records know nothing of.
        try source.expectCopy(database, "seed \(seed)")
        #expect(try TemporaryFolder.contents(of: fixture.settings.folder) == bodies)
        let folder = try TemporaryFolder("valise-moving", inMemory: true)
        var settings = StoreFixture.settings(in: folder.path, clock: fixture.clock)
        settings.folder = fixture.settings.folder
        let staying = StayingBytes(store.bytes)
        let back = MovingStore(try EmbeddedRecords(settings, staying, locks: []), staying)
        #expect(try StoreMigration(database, back, scope: .records).run().isComplete == true, "seed \(seed)")
        try database.expectCopy(back, sameNames: true, "seed \(seed)")
        #expect(try TemporaryFolder.contents(of: fixture.settings.folder) == bodies)
        // What a sweep removes a week later is none of them.
        let week = RecordsUnderTest.now + 7 * 86_400
        _ = try made.records.whileSweeping {
            _ = try made.records.expire(before: 0, at: week) { try store.bytes.remove($0) }
        }
        #expect(try TemporaryFolder.contents(of: fixture.settings.folder) == bodies)
        try store.close()
    }

    /// A sweep that comes a week later finds nothing to remove, also where a migration was killed between two steps of a chunk.
    @Test(arguments: 0..<8)
    func `records that moved do not have bodies removed later`(rounds: Int) throws {
        let bytes = MemoryBytes(sharesNames: true)
        let folder = try TemporaryFolder("valise-moving", inMemory: true)
        let settings = StoreFixture.settings(in: folder.path, clock: TestClock(folder))
        let made = RecordsUnderTest(records: try EmbeddedRecords(settings, bytes, locks: []), bytes: bytes)
        let chunks = try (0..<10).map { try made.send($0) }
        let database = ModelDatabase(quota: nil)
        let source = MovingStore(made)
        let destination = MovingStore(ModelRecords(database), bytes)
        var heard = 0
        var migration = StoreMigration(source, destination, .online, scope: .records)
        migration.threads = 1
        _ = try? migration.run { _ in
            heard += 1
            if heard == rounds { database.reach = .silent }
        }
        database.reach = .there
        // Lost, noticed, and uploaded again under the same name: the name must not be removed later.
        let body = try made.records.body(ofRecipient: chunks[3].recipients[0].id)
        try made.records.markMissing(body) { false }
        _ = try StoreMigration(source, destination, .final, scope: .records).run()
        try made.upload(chunks[3])
        #expect(try StoreMigration(source, destination, .final, scope: .records).run().isComplete == true)
        let week = RecordsUnderTest.now + 7 * 86_400
        #expect(try destination.records.expire(before: 0, at: week) { try bytes.remove($0) } == 0)
        try source.expectCopy(destination, sameNames: true)
        #expect(bytes.names.count == 10)
        try made.records.close()
    }

    @Test func `what the source has lost does not keep a part from being complete`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let source = MovingStore(store.records, store.bytes)
        let chunks = try (0..<6).map { try store.send($0) }
        let ids = chunks.compactMap { StoredID($0.sender) }
        try source.lose(ids[1])
        try source.damage(ids[2])
        let database = MovingStore(ModelRecords(ModelDatabase(quota: nil)), store.bytes)
        var report = try StoreMigration(source, database, scope: .records).run()
        #expect(report.isComplete == true && report.lostBodies == 2 && report.movedBodies == 6)
        let objects = MovingStore(store.records, MemoryBytes(sharesNames: false))
        report = try StoreMigration(source, objects, scope: .bytes).run()
        #expect(report.isComplete == true && report.lostBodies == 2 && report.movedBodies == 4)
        // What is lost at the destination alone is another matter.
        try objects.damage(ids[3])
        report = try StoreMigration(source, objects, scope: .bytes).run()
        #expect(report.isComplete == false && report.comparison?.check.damaged == 1)
        try store.close()
    }

    @Test func `names that the new records cannot have are refused`() throws {
        let bytes = MemoryBytes(sharesNames: false)
        let database = ModelRecords(ModelDatabase(quota: nil))
        let made = RecordsUnderTest(records: database, bytes: bytes)
        _ = try made.send(1)
        let folder = try TemporaryFolder("valise-moving", inMemory: true)
        let settings = StoreFixture.settings(in: folder.path, clock: TestClock(folder))
        let shared = MemoryBytes(sharesNames: true)
        let destination = MovingStore(try EmbeddedRecords(settings, shared, locks: []), shared)
        let failure = #expect(throws: XFTPStoreError.self) {
            try StoreMigration(MovingStore(made), destination, scope: .records).run()
        }
        #expect(failure?.code == .unsupported)
        #expect(try destination.records.usage().reservedSpace == 0)
        try destination.records.close()
    }

    @Test func `bodies move from a folder to objects, and back, below the same records`() throws {
        var (seed, generator) = StoreMigrationTests.seeded()
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var source = MovingStore(store.records, store.bytes)
        try source.fill(50, &generator)
        let objects = MovingStore(store.records, MemoryBytes(sharesNames: false))
        _ = try StoreMigration(source, objects, .online, scope: .bytes).run()
        // What has gone since, and what nobody knows, is not at the destination in the end.
        for chunk in try source.listed { try source.change(chunk.chunk.id, &generator) }
        try objects.bytes.store([1, 2, 3], as: BodyName(chunk: StoredID(), upload: 5))
        let report = try StoreMigration(source, objects, scope: .bytes).run()
        #expect(report.isComplete == true && report.removedBodies > 0, "seed \(seed): \(report)")
        try source.expectCopy(objects, sameNames: true, "seed \(seed)")
        let folder = try TemporaryFolder("valise-moving", inMemory: true)
        try FileSystem().makeDirectory(folder.appending("other"))
        let back = MovingStore(store.records, ChunkFolder(folder.path))
        #expect(try StoreMigration(objects, back, scope: .bytes).run().isComplete == true)
        try source.expectCopy(back, sameNames: true, "seed \(seed)")
        #expect(try FileSystem().exists(folder.appending("other")))
        try store.close()
    }
}
