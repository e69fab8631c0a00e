import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Many chunks: what they take of memory, and how long a relay with them needs to start. A million with `VALISE_SOAK`.
struct LargeStoreTests {
    private static let count = getenv("VALISE_SOAK") == nil ? 20_000 : 1_000_000

    /// Of this process, in bytes; nil where the system does not tell.
    private static func memory() -> Int? {
        // The system makes it when it is read: it has no size.
        guard let text = try? FileSystem().openForReading("/proc/self/statm").bytes(at: 0, count: 100) else {
            return nil
        }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * 4096 } : nil
    }

    @Test func `records take little more than their own bytes`() {
        var records = ChunkTables()
        let key = StoreFixture.key(1)
        let digest = [UInt8](repeating: 1, count: 32)
        let before = Self.memory() ?? 0
        for _ in 0..<Self.count {
            let chunk = NewStoredChunk(id: StoredID(), key: key, size: 100, digest: digest, hour: 1)
            _ = records.add(chunk)
            guard let slot = records.chunk(chunk.id) else { continue }
            _ = records.addRecipient(NewStoredRecipient(id: StoredID(), key: key), to: slot)
        }
        let taken = ((Self.memory() ?? before) - before) / Self.count
        #expect(records.nameCount == 2 * Self.count)
        // Other tests run beside this one: only a large number says something.
        guard Self.count >= 1_000_000, before > 0 else { return }
        print("\(Self.count) chunks with a recipient each: \(taken) bytes each")
        #expect(taken < 250)
    }

    @Test func `a long log is replayed`() throws {
        let fixture = try StoreFixture()
        let path = try #require(fixture.settings.log)
        try FileSystem().makeDirectories(path.parentFolder)
        var file = try FileSystem().create(path)
        let hour = UInt32(fixture.clock.now / 3600)
        for start in stride(from: 0, to: Self.count, by: 1000) {
            var text = ""
            for _ in start..<start + 1000 {
                let chunk = NewStoredChunk(
                    id: StoredID(), key: StoreFixture.key(1), size: 100,
                    digest: [UInt8](repeating: 1, count: 32), hour: hour)
                text += StoreLogLine.created(chunk).text + "\n"
                let recipient = NewStoredRecipient(id: StoredID(), key: StoreFixture.key(2))
                text += StoreLogLine.recipients(chunk.id, [recipient]).text + "\n"
            }
            try file.write(Array(text.utf8))
        }
        try file.close()
        let start = ContinuousClock.now
        let store = try fixture.open()
        print("\(Self.count) chunks replayed in \(ContinuousClock.now - start)")
        #expect(try store.usage.chunks == Self.count && store.startReport.badLineCount == 0)
        fixture.clock.advance(by: 10 * 86_400)
        #expect(try store.expire() == Self.count)
    }
}
