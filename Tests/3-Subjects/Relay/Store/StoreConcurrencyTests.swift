import Dispatch
import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Many threads at one store.
struct StoreConcurrencyTests {
    /// Counts flushes, and takes a moment for each, as a disk does.
    private final class SlowFlushes: FileInterposer {
        private let counter = Atomic(0)

        var count: Int { counter.load(ordering: .relaxed) }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            if case .synchronize(let path) = operation, path.lastComponent?.extension != "partial" {
                counter.add(1, ordering: .relaxed)
                DispatchSemaphore(value: 0).wait(for: .milliseconds(2))
            }
            return .proceed
        }
    }

    @Test func `uploads of many threads share their flushes, and all are there afterwards`() throws {
        let fixture = try StoreFixture()
        let flushes = SlowFlushes()
        let store = try fixture.open(FileSystem(interposer: flushes))
        let before = flushes.count
        let sent = Mutex<[SentChunk]>([])
        try Threads.run(16) { thread in
            for number in 0..<10 {
                let chunk = try store.send(thread * 100 + number, recipients: 2)
                sent.withLock { $0.append(chunk) }
            }
        }
        // Alone each takes two flushes of the log and one of the folder.
        #expect(flushes.count - before < 160 * 3 * 3 / 4, "\(flushes.count - before) flushes for 160 chunks")
        try store.close()
        let next = try fixture.open()
        #expect(try next.startReport.badLineCount == 0 && next.usage.uploaded == 160)
        for chunk in sent.withLock({ $0 }) {
            for recipient in chunk.recipients { #expect(try next.content(recipient) == chunk.content) }
        }
    }

    @Test func `operations on the same few chunks leave a log that replays to the same state`() throws {
        let fixture = try StoreFixture(quota: 1500)
        let store = try fixture.open()
        let chunks = try (0..<6).map { try store.announce($0, recipients: 4) }
        try Threads.run(12) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            for step in 0..<150 {
                let chunk = chunks[Int.random(in: 0..<chunks.count, using: &generator)]
                let recipient = chunk.recipients[Int.random(in: 0..<4, using: &generator)]
                switch Int.random(in: 0..<40, using: &generator) {
                case 0..<20: _ = answer { try store.upload(chunk) }
                case 20..<30:
                    var content = chunk.content
                    _ = answer { content = try store.content(recipient) }
                    #expect(content == chunk.content)
                case 30..<33:
                    _ = answer { _ = try store.addRecipients([StoreFixture.key(7)], to: chunk.sender) }
                case 33..<36: _ = answer { try store.acknowledge(recipient) }
                case 36: _ = answer { try store.delete(chunk.sender) }
                case 37 where thread == 0: try store.compact()
                case 38: _ = try store.expire()
                default: _ = answer { _ = try store.send(1000 + step + 1000 * thread) }
                }
                let usage = try store.usage
                #expect(usage.usedSpace + usage.reservedSpace <= 1500)
            }
        }
        let usage = try store.usage
        #expect(usage.reservedSpace == 0)
        try store.close()
        let next = try fixture.open()
        #expect(next.startReport.badLineCount == 0, "\(next.startReport.badLines)")
        #expect(next.startReport.missingBodies == 0 && next.startReport.removedBodies == 0)
        #expect(try next.usage == usage)
    }

    @Test func `of many uploads to one name one stands`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.announce(1, size: 65_536)
        try Threads.run(12) { _ in try store.upload(chunk, pieces: 7) }
        #expect(try store.usage.usedSpace == 65_536 && store.usage.reservedSpace == 0)
        #expect(try fixture.bodies.count == 1)
        #expect(try fixture.logLines.count == 3)
        #expect(try store.statistics.filesUploaded == 1)
    }
}

extension DispatchSemaphore {
    fileprivate func wait(for interval: DispatchTimeInterval) { _ = wait(timeout: .now() + interval) }
}
