import FaultInjection
import Testing
import ValiseCryptography
import ValiseXFTPWire

@testable import ValiseRelay

/// Random operations on a store and on a model of it that is a few dictionaries: after every restart they agree.
struct StoreModelTests {
    private struct ModelChunk {
        var chunk: SentChunk
        var recipients: Set<EntityID>
        var isUploaded = false
        var blocked: BlockingInfo?
        var created: Int64
    }

    private struct Model {
        var chunks: [EntityID: ModelChunk] = [:]
        var usedSpace: Int64 {
            chunks.values.reduce(0) {
                $0 + ($1.isUploaded && $1.blocked == nil ? Int64($1.chunk.content.count) : 0)
            }
        }
    }

    @Test(arguments: 0..<4)
    func `any order of operations and restarts`(round: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let fixture = try StoreFixture(quota: 40_000)
        var store = try fixture.open()
        var model = Model()
        for step in 0..<400 {
            try Self.operation(step, &store, &model, fixture, &generator)
            if step % 40 == 39 { try Self.compare(store, model, seed) }
        }
    }

    private static func operation(
        _ step: Int, _ store: inout ChunkStore, _ model: inout Model, _ fixture: StoreFixture,
        _ generator: inout SeededGenerator
    ) throws {
        let id = model.chunks.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            .randomElement(using: &generator)
        let action = Int.random(in: 0..<24, using: &generator)
        if action < 6 || id == nil {
            let size = [100, 1000].randomElement(using: &generator) ?? 100
            let chunk = try store.announce(
                step, size: size, recipients: .random(in: 1...4, using: &generator))
            model.chunks[chunk.sender] = ModelChunk(
                chunk: chunk, recipients: Set(chunk.recipients), created: fixture.clock.now / 3600 * 3600)
            return
        }
        guard let id, let known = model.chunks[id] else { return }
        let blocked = known.blocked.map { XFTPErrorCode.blocked($0) }
        let recipient = known.chunk.recipients.randomElement(using: &generator)
        let isKnown = recipient.map { known.recipients.contains($0) } ?? false
        switch action {
        case 6..<13:
            let available = model.usedSpace + Int64(known.chunk.content.count) <= 40_000
            let expected = blocked ?? (known.isUploaded || available ? nil : .quota)
            #expect(answer { try store.upload(known.chunk) } == expected)
            if expected == nil { model.chunks[id]?.isUploaded = true }
        case 13..<15:
            #expect(
                answer {
                    let more = try store.addRecipients([StoreFixture.key(5)], to: id)
                    model.chunks[id]?.recipients.formUnion(more)
                    model.chunks[id]?.chunk.recipients += more
                } == blocked)
        case 15..<18:
            guard let recipient else { return }
            let expected = isKnown ? blocked : .auth
            #expect(answer { try store.acknowledge(recipient) } == expected)
            if expected == nil { model.chunks[id]?.recipients.remove(recipient) }
        case 18..<20:
            #expect(answer { try store.delete(id) } == blocked)
            if blocked == nil { model.chunks[id] = nil }
        case 20:
            guard let recipient, isKnown else { return }
            try store.block(recipient, BlockingInfo(.spam))
            model.chunks[id]?.blocked = BlockingInfo(.spam)
        case 21:
            fixture.clock.advance(by: .random(in: 0..<20_000, using: &generator))
            _ = try store.expire()
            let oldest = fixture.clock.now - 172_800 - 3600
            model.chunks = model.chunks.filter { $0.value.created >= oldest }
        case 22: try store.compact()
        default:
            try store.close()
            store = try fixture.open()
            #expect(store.startReport.badLineCount == 0 && store.startReport.missingBodies == 0)
        }
    }

    private static func compare(_ store: ChunkStore, _ model: Model, _ seed: UInt64) throws {
        let comment = Comment(rawValue: "seed \(seed)")
        #expect(try store.usage.chunks == model.chunks.count, comment)
        #expect(try store.usage.usedSpace == model.usedSpace && store.usage.reservedSpace == 0, comment)
        #expect(
            try store.usage.recipients == model.chunks.values.reduce(0) { $0 + $1.recipients.count }, comment)
        for (id, known) in model.chunks {
            let name = try #require(try store.sender(id), comment)
            #expect(name.blocked == known.blocked && name.digest == SHA256.hash(known.chunk.content), comment)
            for recipient in known.chunk.recipients {
                let expected: XFTPErrorCode? =
                    !known.recipients.contains(recipient)
                    ? .auth : known.blocked.map { .blocked($0) } ?? (known.isUploaded ? nil : .noFile)
                var content: [UInt8]?
                #expect(answer { content = try store.content(recipient) } == expected, comment)
                #expect(content == (expected == nil ? known.chunk.content : nil), comment)
            }
        }
    }
}

/// Records by their names against a dictionary.
struct IDTableTests {
    @Test func `a table finds what a dictionary finds, whatever came and went`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var table = IDTable<RecipientRecord>()
        var model: [StoredID: UInt32] = [:]
        for number in 0..<20_000 {
            if Int.random(in: 0..<5, using: &generator) < (number < 10_000 ? 3 : 2) {
                var record = RecipientRecord(id: StoredID())
                record.chunk = UInt32(number)
                _ = table.insert(record)
                model[record.id] = record.chunk
            } else if let id = model.keys.first, let slot = table.find(id) {
                table.remove(slot)
                model[id] = nil
                #expect(table.find(id) == nil)
            }
        }
        #expect(table.count == model.count)
        for (id, number) in model {
            let slot = table.find(id)
            #expect(slot.map { table[$0].chunk } == number, "seed \(seed)")
        }
        #expect(MemoryLayout<ChunkRecord>.stride <= 112 && MemoryLayout<RecipientRecord>.stride <= 64)
    }
}
