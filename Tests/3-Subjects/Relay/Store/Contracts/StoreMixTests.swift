import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// A store over any records and any bytes: what clients get is the same, also while one of both is out of reach.
struct StoreMixTests {
    /// Records of each implementation with the bytes that they were made with.
    private static func store(_ factory: RecordsFactory, quota: Int64? = nil) throws -> ChunkStore {
        let made = try factory.make(quota)
        return store(made)
    }

    private static func store(
        _ made: RecordsUnderTest, _ clock: TestClock = TestClock()
    ) -> ChunkStore {
        ChunkStore(
            made.records, made.bytes,
            ChunkStoreRules(allowedSizes: [100, 1000], lifetime: 172_800, clock: { clock.now }))
    }

    @Test(arguments: RecordsFactory.all)
    func `a chunk goes in, comes out and goes`(factory: RecordsFactory) throws {
        let made = try factory.make(250)
        let clock = TestClock()
        let store = Self.store(made, clock)
        let chunk = try store.announce(1, recipients: 2)
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .noFile)
        for bad in [Array(chunk.content.dropLast()), chunk.content + [0]] {
            let sent = SentChunk(sender: chunk.sender, recipients: [], content: bad)
            #expect(answer { try store.upload(sent) } == .size)
        }
        let other = SentChunk(sender: chunk.sender, recipients: [], content: chunk.content.reversed())
        #expect(answer { try store.upload(other) } == .digest)
        #expect(try store.usage.reservedSpace == 0 && made.names().stored.isEmpty)
        #expect(try store.upload(chunk))
        #expect(try !store.upload(chunk))
        for recipient in chunk.recipients { #expect(try store.content(recipient) == chunk.content) }
        try store.acknowledge(chunk.recipients[0])
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
        let second = try store.send(2)
        #expect(answer { _ = try store.send(3) } == .quota)
        let reading = try store.open(second.recipients[0])
        try store.delete(second.sender)
        var content = [UInt8](repeating: 0, count: 100)
        try content.withUnsafeMutableBytes { try reading.body.fill($0, at: 0) }
        #expect(content == second.content)
        let third = try store.send(4)
        try store.block(third.recipients[0], BlockingInfo(.spam))
        #expect(answer { _ = try store.open(third.recipients[0]) } == .blocked(BlockingInfo(.spam)))
        try store.find(recipient: third.recipients[0])
        try store.deleteByRecipient(third.recipients[0])
        #expect(answer { try store.find(recipient: third.recipients[0]) } == .auth)
        #expect(try store.statistics.fileDownloads == 3)
        clock.advance(by: 172_800 + 3601)
        #expect(try store.expire() == 2)
        #expect(try store.usage.chunks == 0 && made.names().stored.isEmpty)
        try store.close()
        #expect(answer { _ = try store.announce(5) } == .internal)
    }

    @Test(arguments: RecordsFactory.all)
    func `a body that somebody took away can be uploaded again`(factory: RecordsFactory) throws {
        let made = try factory.make(nil)
        let store = Self.store(made)
        let chunk = try store.send(1)
        for name in try made.names().stored { try made.bytes.remove(name) }
        #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
        #expect(try store.usage.usedSpace == 0)
        #expect(try store.upload(chunk))
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
    }

    // MARK: Outages

    /// A model of a database and one of a storage server, either of which can be out of reach.
    private struct Servers {
        let database = ModelDatabase(quota: 1000)
        let bytes = MemoryBytes(sharesNames: false)
        let clock = TestClock()

        var store: ChunkStore {
            StoreMixTests.store(
                RecordsUnderTest(records: ModelRecords(database), bytes: bytes), clock)
        }

        var isKnown: Bool {
            get throws {
                try RecordsUnderTest(records: ModelRecords(database), bytes: bytes).names().known
                    == bytes.names
            }
        }
    }

    /// With each answer but `TIMEOUT` a client gives a file up.
    @Test(arguments: [true, false], [MemoryBytes.Reach.gone, .silent])
    func `while a server is out of reach clients are told to come again`(
        isDatabase: Bool, reach: MemoryBytes.Reach
    ) throws {
        let servers = Servers()
        let store = servers.store
        let chunk = try store.send(1, recipients: 3)
        let announced = try store.announce(2)
        func outage(_ body: () throws -> Void) -> XFTPErrorCode? {
            if isDatabase { servers.database.reach = reach } else { servers.bytes.reach = reach }
            defer {
                servers.database.reach = .there
                servers.bytes.reach = .there
            }
            return answer(body)
        }
        #expect(outage { _ = try store.open(chunk.recipients[0]) } == .timeout)
        #expect(outage { _ = try store.beginUpload(announced.sender) } == .timeout)
        #expect(outage { try store.upload(announced) } == .timeout)
        if isDatabase {
            #expect(outage { _ = try store.announce(3) } == .timeout)
            #expect(outage { _ = try store.sender(chunk.sender) } == .timeout)
            #expect(outage { _ = try store.recipient(chunk.recipients[0]) } == .timeout)
            #expect(outage { try store.acknowledge(chunk.recipients[1]) } == .timeout)
            #expect(outage { _ = try store.usage } == .timeout)
            #expect(outage { _ = try store.expire() } == .timeout)
            #expect(outage { try store.delete(announced.sender) } == .timeout)
        } else {
            // The database knows that its body is to be removed.
            #expect(outage { try store.delete(chunk.sender) } == nil)
            #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
        }
        servers.clock.advance(by: 3601)
        _ = try store.expire()
        #expect(try store.usage.reservedSpace == 0 && servers.isKnown)
    }

    /// Each part of an upload, with an outage that begins there: what was acknowledged is there, what was not can be
    /// uploaded, nothing is left over, no space is lost.
    @Test(arguments: [true, false], [MemoryBytes.Reach.gone, .silent])
    func `an outage in an upload loses nothing that was acknowledged, and leaves nothing`(
        isDatabase: Bool, reach: MemoryBytes.Reach
    ) throws {
        for part in 0..<4 {
            let servers = Servers()
            let store = servers.store
            let chunk = try store.announce(1)
            func fail(at place: Int) {
                guard place == part else { return }
                if isDatabase { servers.database.reach = reach } else { servers.bytes.reach = reach }
            }
            let failure = answer {
                fail(at: 0)
                guard case .accept(let upload) = try store.beginUpload(chunk.sender) else { return }
                fail(at: 1)
                try chunk.content.prefix(50).withUnsafeBytes { try upload.write($0) }
                fail(at: 2)
                try chunk.content.dropFirst(50).withUnsafeBytes { try upload.write($0) }
                fail(at: 3)
                try upload.finish()
            }
            servers.database.reach = .there
            servers.bytes.reach = .there
            #expect(failure == .timeout, "part \(part)")
            // An answer that got lost may have been the last.
            if try store.sender(chunk.sender)?.isUploaded == false { #expect(try store.upload(chunk)) }
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
            servers.clock.advance(by: 3601)
            _ = try store.expire()
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
            let usage = try store.usage
            #expect(usage.usedSpace == 100 && usage.reservedSpace == 0, "part \(part)")
            #expect(try servers.isKnown && servers.bytes.names.count == 1, "part \(part)")
        }
    }

    @Test func `an outage while chunks expire is made up for the next time`() throws {
        let servers = Servers()
        let store = servers.store
        for number in 0..<5 { _ = try store.send(number) }
        servers.clock.advance(by: 10 * 86_400)
        servers.bytes.reach = .gone
        #expect(answer { _ = try store.expire() } == .timeout)
        #expect(try store.usage.chunks == 0 && store.usage.usedSpace == 0)
        #expect(servers.bytes.names.count == 5)
        servers.bytes.reach = .there
        #expect(try store.expire() == 0)
        #expect(servers.bytes.names.isEmpty)
    }

    @Test func `embedded records keep a chunk whose body the server would not remove`() throws {
        let folder = try TemporaryFolder("valise-mix", inMemory: true)
        let bytes = MemoryBytes(sharesNames: false)
        let settings = StoreFixture.settings(in: folder.path, clock: TestClock(folder), quota: nil)
        var records = try EmbeddedRecords(settings, bytes, locks: [])
        var store = ChunkStore(records, bytes, settings.rules)
        let chunk = try store.send(1)
        bytes.reach = .gone
        #expect(answer { try store.delete(chunk.sender) } == .timeout)
        bytes.reach = .there
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
        // The log knows which upload brought the body.
        for _ in 0..<2 {
            try store.close()
            records = try EmbeddedRecords(settings, bytes, locks: [])
            #expect(records.startReport.missingBodies == 0 && records.startReport.removedBodies == 0)
            store = ChunkStore(records, bytes, settings.rules)
            #expect(try store.content(chunk.recipients[0]) == chunk.content)
            try store.acknowledge(try store.send(2).recipients[0])
        }
        try store.delete(chunk.sender)
        #expect(bytes.names.count == 2)
    }
}
