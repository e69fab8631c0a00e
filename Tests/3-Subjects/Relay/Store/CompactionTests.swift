import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// When the log is written anew while a relay runs, and what that may take of the disk.
struct CompactionTests {
    /// What the disk has left, and how often one looked.
    private final class Disk: Sendable {
        private let state = Mutex((free: Int64.max, looks: 0))

        var free: Int64 {
            get { state.withLock { $0.free } }
            set { state.withLock { $0.free = newValue } }
        }
        var looks: Int { state.withLock { $0.looks } }

        func look() -> Int64 {
            state.withLock { state in
                state.looks += 1
                return state.free
            }
        }
    }

    private static func fixture() throws -> (StoreFixture, Disk) {
        var fixture = try StoreFixture()
        let disk = Disk()
        fixture.settings.mostLogGrowth = 5000
        fixture.settings.freeSpace = { _ in disk.look() }
        return (fixture, disk)
    }

    private static func waste(_ store: ChunkStore) throws {
        for number in 0..<30 { try store.delete(try store.send(number).sender) }
    }

    @Test func `a log whose few lines are long is compacted too`() throws {
        let (fixture, _) = try Self.fixture()
        let store = try fixture.open()
        let kept = try store.send(99)
        try Self.waste(store)
        #expect(try fixture.logLines.count == 123)
        try store.compactWhereWorthwhile()
        #expect(try fixture.logLines.count == 3)
        _ = try store.send(100)
        try store.compactWhereWorthwhile()
        #expect(try fixture.logLines.count == 6, "it has not grown by enough")
        #expect(try store.content(kept.recipients[0]) == kept.content)
    }

    @Test func `a log that only grew is left alone until it has twice its length`() throws {
        let (fixture, _) = try Self.fixture()
        var store = try fixture.open()
        for number in 0..<60 { _ = try store.send(number) }
        try store.close()
        store = try fixture.open()
        let log = try #require(store.log)
        #expect(log.extent.growth == 0 && log.extent.size > 20_000)
        for number in 60..<90 { _ = try store.send(number) }
        let previous = try fixture.logLines
        try store.compactWhereWorthwhile()
        #expect(try fixture.logLines == previous && store.startReport.backup == nil)
        for number in 90..<150 { _ = try store.send(number) }
        try store.compactWhereWorthwhile()
        #expect(log.extent.growth == 0)
    }

    @Test func `where there is no space the log goes on, and is not tried each time`() throws {
        let (fixture, disk) = try Self.fixture()
        let store = try fixture.open()
        try Self.waste(store)
        let lines = try fixture.logLines
        let names = try FileSystem().list(fixture.folder.appending("log"))
        disk.free = 1 << 20
        func attempt() -> FailureCode? {
            do {
                try store.compactWhereWorthwhile()
                return nil
            } catch {
                return (error as? XFTPStoreError)?.code
            }
        }
        #expect(attempt() == .noSpace)
        #expect(try fixture.logLines == lines)
        #expect(try FileSystem().list(fixture.folder.appending("log")) == names, "nothing is left of it")
        let looks = disk.looks
        #expect(attempt() == nil && disk.looks == looks)
        fixture.clock.advance(by: 600)
        #expect(attempt() == .noSpace)
        fixture.clock.advance(by: 600)
        #expect(attempt() == nil, "the second pause is longer")
        fixture.clock.advance(by: 600)
        disk.free = 2 << 20
        #expect(attempt() == nil)
        #expect(try fixture.logLines.isEmpty)
    }

    @Test func `a log that is far too long takes no announcements until it is compacted`() throws {
        var (fixture, disk) = try Self.fixture()
        fixture.settings.hardLogGrowth = 10_000
        let store = try fixture.open()
        let kept = try store.announce(1)
        #expect(!store.wantsCompaction)
        var refused: XFTPErrorCode?
        var wasWanted = false
        for number in 2..<200 where refused == nil {
            wasWanted = store.wantsCompaction
            refused = answer { try store.delete(try store.announce(number).sender) }
        }
        #expect(refused == .quota && wasWanted, "it was wanted before it was urgent")
        let log = try #require(store.log)
        #expect(log.extent.size > 10_000 && log.extent.size < 12_000)
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(9)], to: kept.sender) } == .quota)
        // All else goes on.
        try store.upload(kept)
        #expect(try store.content(kept.recipients[0]) == kept.content)
        // Ten minutes after a failure it is tried again, however many there were.
        disk.free = 0
        for _ in 0..<3 {
            #expect(answer { try store.compactWhereWorthwhile() } != nil)
            #expect(!store.wantsCompaction)
            fixture.clock.advance(by: 600)
            #expect(store.wantsCompaction)
        }
        disk.free = .max
        try store.compactWhereWorthwhile()
        #expect(!store.wantsCompaction)
        _ = try store.addRecipients([StoreFixture.key(9)], to: kept.sender)
        try store.delete(try store.announce(2).sender)
    }

    @Test func `a pause has an end, also for a clock that is put back`() {
        var pause = EmbeddedRecords.CompactionPause()
        #expect(pause.isOver(0))
        for length in [600, 1200, 2400] as [Int64] {
            pause.begin(1_000_000)
            #expect(!pause.isOver(1_000_000 + length - 1) && pause.isOver(1_000_000 + length))
            #expect(pause.isOver(1000))
        }
        for _ in 0..<100 { pause.begin(1_000_000) }
        #expect(pause.isOver(1_086_400))
        pause.forget()
        #expect(pause.isOver(0))
    }

    @Test func `previous logs have so many bytes together, the last one is kept`() throws {
        let fixture = try StoreFixture()
        let log = try #require(fixture.settings.log)
        let fileSystem = FileSystem()
        try fileSystem.makeDirectories(log.parentFolder)
        let paths = (0..<4).map { number in
            log.appendingSuffix("." + UTCTime(seconds: fixture.clock.now + Int64(number)).isoText)
        }
        for path in paths { try fileSystem.replace(path, with: [UInt8](repeating: 1, count: 100)) }
        let files = StoreLogFiles(log, fileSystem: fileSystem)
        for (most, kept) in [(400, 4), (250, 2), (200, 2), (10, 1)] {
            try files.prune(now: fixture.clock.now, mostBytes: Int64(most))
            #expect(try fileSystem.list(log.parentFolder).count == kept)
        }
        #expect(try fileSystem.exists(paths[3]))
    }
}
