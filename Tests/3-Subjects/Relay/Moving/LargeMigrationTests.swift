import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Many chunks without bodies: a million with `VALISE_SOAK`.
struct LargeMigrationTests {
    private static let count = getenv("VALISE_SOAK") == nil ? 100_000 : 1_000_000

    /// A log of chunks with a recipient each.
    private static func log(_ fixture: StoreFixture, _ count: Int = count) throws -> FilePath {
        let path = try #require(fixture.settings.log)
        try FileSystem().makeDirectories(path.parentFolder)
        try FileSystem().makeDirectories(fixture.settings.folder)
        // What all of them have in common is made once.
        let (id, key) = (StoredID(), StoreFixture.key(1))
        let announced = NewStoredChunk(
            id: id, key: key, size: 100, digest: [UInt8](repeating: 1, count: 32),
            hour: ChunkRecordsContractTests.hour)
        let named = StoreLogLine.recipients(id, [NewStoredRecipient(id: id, key: key)])
        let chunkRest = StoreLogLine.created(announced).text.dropFirst(5 + 24)
        let recipientRest = named.text.dropFirst(5 + 24 + 1 + 24)
        var file = try FileSystem().create(path)
        for start in stride(from: 0, to: count, by: 1000) {
            var text = ""
            for number in start..<start + 1000 {
                let chunk = BodyName(chunk: StoredID()).text
                text +=
                    "FNEW \(chunk)\(chunkRest)\nFADD \(chunk) \(BodyName(chunk: StoredID()).text)\(recipientRest)\n"
                if number % 100 == 0 { text += "FPUT \(chunk) bG9zdA==\n" }
            }
            try file.write(Array(text.utf8))
        }
        try file.close()
        return path
    }

    @Test func `many chunks are checked, and few are in memory at a time`() throws {
        let fixture = try StoreFixture()
        let snapshot = try EmbeddedSnapshot(try Self.log(fixture))
        let bytes = ChunkFolder(fixture.settings.folder)
        let most = Self.count / 20
        var pages = RecordPages(snapshot, size: most)
        var (chunks, largest) = (0, 0)
        while try pages.peek() != nil {
            pages.skip()
            chunks += 1
            largest = max(largest, pages.waiting)
        }
        #expect(chunks == Self.count && largest <= most)
        var expected = ExpectedBodies(snapshot, groupSize: 100)
        (chunks, largest) = (0, 0)
        while try expected.peek() != nil {
            expected.skip()
            chunks += 1
            largest = max(largest, expected.waiting)
        }
        #expect(chunks == Self.count / 100 && largest <= 100 && largest > 0)
        let start = ContinuousClock.now
        var check = StoreCheck(RelayStores(snapshot, bytes))
        check.patience = .zero
        let report = try check.run()
        #expect(report.missing == Self.count / 100 && report.records.chunks == Self.count)
        print("\(Self.count) chunks checked in \(ContinuousClock.now - start)")
    }

    @Test func `many chunks are moved`() throws {
        let count = Self.count / 10
        let fixture = try StoreFixture()
        let source = RelayStores(
            try EmbeddedSnapshot(try Self.log(fixture, count)), ChunkFolder(fixture.settings.folder))
        let target = try StoreFixture()
        let store = try target.open()
        let start = ContinuousClock.now
        let moved = try StoreMigration(from: source, to: RelayStores(store.records, store.bytes)).run()
        print("\(count) chunks moved in \(ContinuousClock.now - start)")
        #expect(
            moved.isComplete == true && moved.createdChunks == count && moved.missingBodies == count / 100)
        try store.close()
    }
}
