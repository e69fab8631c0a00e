import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures

/// What threads do in turns and in order.
struct ThreadsTests {
    private final class Sums {
        var numbers: [Int] = []
        var sum = 0
    }

    @Test func `a slot goes to its thread and back, and tells of its failure`() throws {
        let slot = WorkerSlot(Sums())
        try slot.wait()
        for round in 1...200 {
            slot.work.numbers.append(round)
            slot.start { $0.sum = $0.numbers.reduce(0, +) }
            try slot.wait()
            #expect(slot.work.sum == round * (round + 1) / 2)
        }
        slot.start { _ in throw Interruption() }
        #expect(throws: Interruption.self) { try slot.wait() }
    }

    @Test func `slots of one queue are done in their order`() throws {
        let queue = SerialQueue()
        let log = Log()
        let slots = (0..<8).map { _ in WorkerSlot(Sums()) }
        for (number, slot) in slots.enumerated() { slot.start(on: queue) { _ in log.add(number) } }
        for slot in slots { try slot.wait() }
        queue.drain()
        #expect(log.all == Array(0..<8))
    }

    @Test func `a gate lets through as many as were signalled`() {
        let gate = Gate(open: 2)
        #expect(gate.wait(atMost: .zero))
        gate.wait()
        #expect(!gate.wait(atMost: .milliseconds(1)))
        gate.signal()
        #expect(gate.wait(atMost: .seconds(600)))
    }

    @Test func `a ticker ticks until it is stopped, which waits for the tick that goes on`() {
        let log = Log()
        let ticked = Gate()
        let ticker = Ticker(every: .milliseconds(1)) {
            log.add(1)
            ticked.signal()
        }
        for _ in 0..<3 { ticked.wait() }
        ticker.stop()
        let count = log.all.count
        #expect(count >= 3)
        #expect(!ticked.wait(atMost: .milliseconds(20)) || log.all.count == count)
        ticker.stop()
    }

    @Test func `a ticker that nobody has any more ends`() {
        let log = Log()
        let ticked = Gate()
        do {
            let ticker = Ticker(every: .milliseconds(1)) {
                log.add(1)
                ticked.signal()
            }
            ticked.wait()
            withExtendedLifetime(ticker) {}
        }
        while ticked.wait(atMost: .milliseconds(100)) {}
        #expect(!log.all.isEmpty)
    }
}

private final class Log: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
}

/// Work of one thread for another.
struct ReadAheadTests {
    private struct Stop: Error {}

    @Test func `what is made ahead is worked on in its order, and never more than a few wait`() throws {
        let made = Atomic(0)
        var taken: [Int] = []
        try ReadAhead.run(depth: 3) { (add: @Sendable (Int) throws -> Void) in
            for number in 0..<100 {
                made.store(number + 1, ordering: .sequentiallyConsistent)
                try add(number)
            }
        } _: { number in
            // Those that wait, the one that is taken, and the one that waits for its place.
            #expect(made.load(ordering: .sequentiallyConsistent) <= number + 5)
            taken.append(number)
        }
        #expect(taken == Array(0..<100))
    }

    @Test func `several threads make elements, and all end when nobody takes them`() throws {
        let taken = Mutex<[Int]>([])
        try ReadAhead.run { (add: @Sendable (Int) throws -> Void) in
            try withoutActuallyEscaping(add) { add in
                try ParallelBatches.run(count: 50, workers: 4, makeWorker: {}, work: { try add($1) })
            }
        } _: { number in
            taken.withLock { $0.append(number) }
        }
        #expect(taken.withLock { $0.sorted() } == Array(0..<50))
        let ended = Gate()
        #expect(throws: Stop.self) {
            try ReadAhead.run(depth: 2) { (add: @Sendable (Int) throws -> Void) in
                defer { ended.signal() }
                try withoutActuallyEscaping(add) { add in
                    try ParallelBatches.run(count: 50, workers: 4, makeWorker: {}, work: { try add($1) })
                }
            } _: { _ in
                throw Stop()
            }
        }
        #expect(ended.wait(atMost: .seconds(10)))
    }

    @Test func `an error of either side ends both, after what was made before it`() {
        var taken = 0
        #expect(throws: Stop.self) {
            try ReadAhead.run { (add: @Sendable (Int) throws -> Void) in
                try add(1)
                throw Stop()
            } _: { _ in
                taken += 1
            }
        }
        #expect(taken == 1)
        #expect(throws: Stop.self) {
            try ReadAhead.run { (add: @Sendable (Int) throws -> Void) in
                while true { try add(1) }
            } _: { _ in
                throw Stop()
            }
        }
    }
}
