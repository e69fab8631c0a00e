import FaultInjection
import Testing
import ValiseXFTPWire

@testable import ValiseRelay

/// Chunks with many recipients, and what a relay lets their senders take of its memory.
struct RecipientTests {
    private static func records(recipients count: Int) -> (
        records: ChunkTables, chunk: UInt32, ids: [StoredID]
    ) {
        var records = ChunkTables()
        let chunk = NewStoredChunk(id: StoredID(), key: StoreFixture.key(1), size: 100, digest: [], hour: 1)
        _ = records.add(chunk)
        let slot = records.chunk(chunk.id) ?? 0
        let ids = (0..<count).map { _ in StoredID() }
        for id in ids {
            _ = records.addRecipient(NewStoredRecipient(id: id, key: StoreFixture.key(2)), to: slot)
        }
        return (records, slot, ids)
    }

    @Test func `recipients go in any order, those who stay keep theirs`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let made = Self.records(recipients: 500)
        var (records, ids) = (made.records, made.ids)
        let chunk = made.chunk
        while !ids.isEmpty {
            let place = Int.random(in: 0..<ids.count, using: &generator)
            records.removeRecipient(ids.remove(at: place))
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let id = StoredID()
                _ = records.addRecipient(NewStoredRecipient(id: id, key: StoreFixture.key(2)), to: chunk)
                ids.append(id)
            }
            let found = records.recipientSlots(chunk).map { records.recipients[$0].id }
            #expect(found == ids.reversed(), "seed \(seed)")
            #expect(Int(records.chunks[chunk].recipientCount) == ids.count, "seed \(seed)")
        }
    }

    /// The one that came first was the last of the list: each had to be looked for behind all others.
    @Test(.timeLimit(.minutes(1)))
    func `one that goes costs the same however many there are`() {
        let made = Self.records(recipients: 60_000)
        var records = made.records
        for id in made.ids { records.removeRecipient(id) }
        #expect(records.recipientSlots(made.chunk).isEmpty)
        #expect(records.chunks[made.chunk].recipientCount == 0)
    }

    @Test func `a chunk has no more recipients at a time than it may`() throws {
        var fixture = try StoreFixture()
        fixture.settings.mostRecipients = 257
        var store = try fixture.open()
        let chunk = try store.announce(1, recipients: 255)
        let keys = [StoreFixture.key(8), StoreFixture.key(9)]
        let more = try store.addRecipients(keys, to: chunk.sender)
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(7)], to: chunk.sender) } == .quota)
        try store.acknowledge(more[0])
        #expect(answer { _ = try store.addRecipients(keys, to: chunk.sender) } == .quota)
        _ = try store.addRecipients([StoreFixture.key(7)], to: chunk.sender)
        try store.close()
        store = try fixture.open()
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(7)], to: chunk.sender) } == .quota)
        #expect(try store.usage.recipients == 257)
    }

    @Test func `long keys and digests count for what they take`() throws {
        var fixture = try StoreFixture()
        fixture.settings.mostNames = 9
        let long = PublicKey(.ed448, [UInt8](repeating: 1, count: 57))
        var store = try fixture.open()
        func create(_ digest: Int) throws -> EntityID {
            try store.create(
                senderKey: long, size: 100, digest: [UInt8](repeating: 1, count: digest),
                recipients: [StoreFixture.key(1)]
            ).sender
        }
        let sender = try create(32)
        #expect(answer { _ = try create(33) } == .quota, "4 names are taken, and this one has 8")
        _ = try store.addRecipients([long], to: sender)
        #expect(answer { _ = try store.addRecipients([long], to: sender) } == .quota)
        try store.close()
        store = try fixture.open()
        #expect(answer { _ = try store.addRecipients([long], to: sender) } == .quota)
        _ = try store.addRecipients([StoreFixture.key(1), StoreFixture.key(2)], to: sender)
        #expect(answer { _ = try store.addRecipients([StoreFixture.key(3)], to: sender) } == .quota)
        try store.delete(sender)
        _ = try create(33)
    }
}
