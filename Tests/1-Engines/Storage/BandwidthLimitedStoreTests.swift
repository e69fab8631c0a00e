import StoreContract
import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

struct BandwidthLimitedStoreTests {
    private let clock = StoppedClock()

    private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    @Test func `uploads keep the rate on average`() throws {
        let store = BandwidthLimitedStore(MemoryStore(), upload: 1000, download: nil, clock: clock.clock)
        for number in 0..<40 {
            let content = [UInt8](repeating: UInt8(number), count: 500)
            try store.put(stored(.data, content), content)
            #expect(try store.get(stored(.data, content)) == content)
        }
        // A second's worth at once, and the last one is not waited for.
        #expect(abs(seconds(clock.slept) - 18.5) < 0.5)
    }

    @Test func `downloads keep the rate on average, and parts count as parts`() throws {
        let content = [UInt8](repeating: 1, count: 10_000)
        let name = stored(.data, content)
        let store = BandwidthLimitedStore(
            MemoryStore([name: content]), upload: 1, download: 1000, clock: clock.clock)
        for _ in 0..<40 { _ = try store.get(name, 100..<600) }
        #expect(abs(seconds(clock.slept) - 18.5) < 0.5)
        // Whatever is large goes at once, and the next one waits for it.
        let before = clock.slept
        _ = try store.get(name)
        #expect(seconds(clock.slept - before) < 1)
        _ = try store.get(name, 0..<1)
        #expect(abs(seconds(clock.slept - before) - 10) < 1)
    }

    @Test func `unused time is kept for one second only`() throws {
        let store = BandwidthLimitedStore(MemoryStore(), upload: 1000, download: nil, clock: clock.clock)
        clock.pass(.seconds(3600))
        for number in 0..<10 {
            try store.put(stored(.data, [UInt8(number)]), [UInt8](repeating: UInt8(number), count: 1000))
        }
        #expect(abs(seconds(clock.slept) - 8) < 0.5)
    }

    @Test func `nobody waits without a limit, nor for what has no content`() throws {
        let store = BandwidthLimitedStore(MemoryStore(), upload: nil, download: nil, clock: clock.clock)
        let content = [UInt8](repeating: 1, count: 1 << 20)
        let name = stored(.data, content)
        for _ in 0..<20 {
            try store.put(name, content)
            _ = try store.get(name)
        }
        let slow = BandwidthLimitedStore(MemoryStore(), upload: 1, download: 1, clock: clock.clock)
        try slow.create()
        for _ in 0..<20 {
            #expect(try !slow.has(name) && slow.list(.data).isEmpty)
            try slow.remove(name)
        }
        #expect(clock.slept == .zero)
    }

    @Test func `a pause ends when the checkpoint throws, and nothing was sent`() throws {
        let clock = clock
        let memory = MemoryStore()
        let store = BandwidthLimitedStore(
            memory, upload: 10, download: nil, clock: clock.clock,
            checkpoint: { if clock.slept >= .seconds(2) { throw Interruption() } })
        let contents = (0..<2).map { [UInt8](repeating: UInt8($0), count: 1000) }
        try store.put(stored(.data, contents[0]), contents[0])
        #expect(throws: Interruption.self) { try store.put(stored(.data, contents[1]), contents[1]) }
        #expect(clock.slept == .seconds(2) && memory.files.count == 1)
    }

    @Test func `threads share the rate`() throws {
        let clock = clock
        let start = clock.clock.now()
        let store = BandwidthLimitedStore(MemoryStore(), upload: 1000, download: nil, clock: clock.clock)
        try ParallelBatches.run(
            count: 40, workers: 4, makeWorker: {},
            work: { _, number in
                let content = [UInt8](repeating: UInt8(number), count: 500)
                try store.put(stored(.data, content), content)
            })
        // Those who sleep side by side move this clock further than one of them.
        #expect(seconds(clock.clock.now() - start) >= 18)
    }
}
