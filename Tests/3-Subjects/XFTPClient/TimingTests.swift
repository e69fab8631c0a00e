import NIOCore
import NIOEmbedded
import Testing

@testable import ValiseXFTPClient

/// What needs no relay: time that is counted, places in a line.
struct TimingTests {
    /// - Parameter heard: whether something came just now, each time it is asked.
    private func waiting(
        silence: Duration, inAll: Duration, on loop: EmbeddedEventLoop, heard: Bool = false,
        _ whenOver: @escaping () -> Void
    ) -> WaitingTime {
        let start = loop.now
        return WaitingTime(
            TimeLimit(silence: silence, inAll: inAll), on: loop, lastHeard: { heard ? loop.now : start },
            whenOver: whenOver)
    }

    @Test func `only the time that a relay is waited for counts`() {
        let loop = EmbeddedEventLoop()
        var isOver = false
        let time = waiting(silence: .seconds(5), inAll: .seconds(10), on: loop) { isOver = true }
        for _ in 0..<4 {
            time.begin()
            loop.advanceTime(by: .seconds(2))
            time.pause()
            // The caller's own.
            loop.advanceTime(by: .seconds(60))
        }
        #expect(!isOver)
        time.begin()
        loop.advanceTime(by: .milliseconds(1_900))
        #expect(!isOver)
        loop.advanceTime(by: .milliseconds(200))
        #expect(isOver)
    }

    @Test(arguments: [true, false])
    func `a relay that is heard of has the whole time, a silent one a part of it`(heard: Bool) {
        let loop = EmbeddedEventLoop()
        var isOver = false
        let time = waiting(silence: .seconds(5), inAll: .seconds(60), on: loop, heard: heard) {
            isOver = true
        }
        time.begin()
        loop.advanceTime(by: .milliseconds(4_900))
        #expect(!isOver)
        loop.advanceTime(by: .milliseconds(200))
        #expect(isOver != heard)
        loop.advanceTime(by: .seconds(54))
        #expect(isOver != heard)
        loop.advanceTime(by: .seconds(2))
        #expect(isOver)
    }

    private struct Slow: Error {}

    /// How many of so many transfers run at a time.
    /// - Parameter expected: they wait for so many, but not for ever; then there is time for one too many.
    private func width(_ lanes: TransferLanes, of count: Int = 8, _ expected: Int) async throws -> Int {
        let gauge = Gauge()
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await lanes.withLane { _ in
                        gauge.add(1)
                        try await gauge.reach(expected)
                        try await Task.sleep(for: .milliseconds(20))
                        gauge.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        return gauge.most
    }

    /// So many fail because the line is too slow.
    private func fail(_ lanes: TransferLanes, _ count: Int, atOnce: Int) async {
        let gauge = Gauge()
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try? await lanes.withLane { isTooSlow in
                        gauge.add(1)
                        try await gauge.reach(atOnce)
                        isTooSlow()
                        throw Slow()
                    }
                }
            }
        }
    }

    @Test func `on a slow line there are half as many chunks at a time, then one, and slowly more again`()
        async throws
    {
        let lanes = TransferLanes()
        #expect(try await width(lanes, 8) == 8)
        await fail(lanes, 4, atOnce: 4)
        #expect(try await width(lanes, 2) == 2)
        await fail(lanes, 2, atOnce: 2)
        #expect(try await width(lanes, 1) == 1)
        await fail(lanes, 2, atOnce: 1)
        #expect(try await width(lanes, of: 15, 1) == 1)
        #expect(try await width(lanes, of: 1, 1) == 1)
        #expect(try await width(lanes, 2) == 2)
    }

    @Test func `a line serves in its order, and nobody twice`() async throws {
        let slots = StreamSlots(2)
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                let task = Task {
                    try await slots.withSlot { await Task.yield() }
                }
                if number % 3 == 0 { task.cancel() }
                group.addTask { _ = await task.result }
            }
            try await group.waitForAll()
        }
        try await slots.withSlot { try await slots.withSlot {} }
    }
}
