import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures

/// Work that is spread over threads.
struct ParallelBatchesTests {
    /// The closures of a call are gone when it returns, however its threads end: thousands of calls hit every moment.
    @Test func `nothing of a call is left when it returns`() throws {
        let sum = Mutex(0)
        for _ in 0..<2000 {
            try ParallelBatches.run(count: 3, workers: 3) {
            } work: { _, number in
                sum.withLock { $0 += number }
            }
        }
        #expect(sum.withLock { $0 } == 6000)
    }

    @Test func `the first error stops the rest`() {
        let done = Atomic(0)
        #expect(throws: Interruption.self) {
            try ParallelBatches.run(count: 10_000, workers: 2) {
            } work: { _, number in
                if number == 10 { throw Interruption() }
                done.add(1, ordering: .relaxed)
            }
        }
        #expect(done.load(ordering: .relaxed) < 10_000)
    }

    @Test func `a task beside its caller is waited for`() throws {
        for number in 0..<500 {
            #expect(try BackgroundTask { _ in number }.value() == number)
        }
        let cancelled = Cancellation()
        do {
            _ = BackgroundTask { cancellation in
                while !cancellation.isCancelled {}
                cancelled.cancel()
            }
        }
        #expect(cancelled.isCancelled)
    }
}
