import Synchronization
import Testing
import ValiseDatabase
import ValiseFailures

@testable import ValiseJobQueue

/// A database that cannot grow while its own transactions write: SQLite is told that the disk is full.
struct FullDiskTests {
    private let fixture: QueueFixture
    private let queue: JobQueue

    init() throws {
        fixture = try QueueFixture()
        queue = try fixture.open()
    }

    /// - Parameter pages: how many more there may be; nil for any number.
    private func leaveRoom(pages: Int64?) throws {
        try queue.look { database in
            let count = try database.value("PRAGMA page_count", []) ?? 0
            let most = pages.map { count + $0 } ?? 1 << 30
            try database.connection.execute("PRAGMA max_page_count = \(most)")
        }
    }

    private let large = JobRequest(
        kind: "work", payload: [UInt8](repeating: 7, count: 1 << 20), queue: .archives)

    @Test func `what is too much is refused, and everything is as before`() throws {
        let job = try queue.add("job")
        let lease = try queue.take(job)
        try leaveRoom(pages: 2)
        let before = try queue.jobs()
        let bytes = large.payload
        #expect(failure { try queue.add(large) }?.code == .noSpace)
        #expect(failure { try queue.change { try $0.checkpoint(lease, bytes) } }?.code == .noSpace)
        #expect(failure { try queue.change { _ = try $0.finish(lease, result: bytes) } }?.code == .noSpace)
        let more = failure {
            try queue.change { transaction in
                try transaction.finish(lease)
                try transaction.add(large)
            }
        }
        #expect(more?.code == .noSpace)
        #expect(try queue.jobs() == before)
        try leaveRoom(pages: nil)
        try queue.finish(lease, "done")
        #expect(try queue.now(job).state == .finished)
    }

    /// SQLite rolls the whole transaction back by itself. Each part that came after would be one of its own.
    @Test func `who passes over a full disk writes nothing of the rest of the transaction either`() throws {
        let job = try queue.add("job")
        let ended = try queue.add("ended")
        try queue.finish(try queue.take(ended))
        let lease = try queue.take(job)
        try leaveRoom(pages: 2)
        let before = try queue.jobs()
        let found = failure {
            try queue.change { transaction in
                #expect(throws: (any Error).self) { try transaction.add(large) }
                _ = try? transaction.add(JobRequest(kind: "small", queue: .archives))
                try? transaction.checkpoint(lease, [1])
                try? transaction.remove(ended.id)
                _ = try? transaction.fail(lease, .permanent("no"))
                _ = try? transaction.cancel(job.id)
            }
        }
        #expect(found?.code == .noSpace)
        #expect(try queue.jobs() == before)
        _ = try queue.change { try $0.add(JobRequest(kind: "small", queue: .archives)) }
        #expect(try queue.jobs().count == before.count + 1)
    }

    @Test func `a job whose end finds no space is neither failed nor lost, and done once there is room`()
        async throws
    {
        let job = try queue.add("job")
        let lost = Mutex<[FailureCode?]>([])
        let runs = Mutex(0)
        let result = large.payload
        let runner = JobRunner(
            queue,
            handlers: [
                WorkHandler { _, _ in
                    runs.withLock { $0 += 1 }
                    return JobOutcome(result: result)
                }
            ], pause: .milliseconds(10)
        ) { event in
            if case .lost(_, let error) = event { lost.withLock { $0.append((error as? any Failure)?.code) } }
        }
        try leaveRoom(pages: 2)
        try await runner.run(until: .idle)
        #expect(lost.withLock { $0 } == [.noSpace])
        #expect(try queue.now(job).state == .running && queue.jobs().count == 1)
        try leaveRoom(pages: nil)
        fixture.machine.pass(seconds: 60)
        try await runner.run(until: .idle)
        #expect(try queue.now(job).state == .finished && queue.now(job).attempts == 0)
        #expect(try queue.now(job).result == result)
        #expect(runs.withLock { $0 } == 2)
    }
}
