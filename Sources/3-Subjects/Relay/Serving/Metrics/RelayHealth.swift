import NIOCore
import Synchronization
import ValiseConcurrency

/// Whether a relay can serve at this moment.
final class RelayHealth: Sendable {
    private enum Phase: Equatable {
        case starting
        case serving
        case draining
    }

    private struct State {
        var phase = Phase.starting
        var store: ChunkStore?
        /// The last look at the store: nil where it failed.
        var last: (usage: StoreUsage?, time: NIODeadline)?
        var isLooking = false
        /// Those that wait for a look, by their numbers.
        var waiting: [Int: EventLoopPromise<StoreUsage?>] = [:]
        var nextNumber = 0
    }

    /// The result of a look is good for so long: whoever asks often does not keep a database busy.
    private static let age = TimeAmount.seconds(1)
    /// A store that takes longer is out of reach. Less than the usual limit of a balancer.
    private let patience: TimeAmount
    private let state = Mutex(State())
    /// Not the relay's threads: all of them may wait for the store.
    private let queue = SerialQueue()

    init(patience: TimeAmount = .seconds(3)) { self.patience = patience }

    func serve(from store: ChunkStore) {
        state.withLock { state in
            state.store = store
            state.phase = .serving
        }
    }

    func drain() { state.withLock { $0.phase = .draining } }

    /// Why it cannot serve; nil where it can.
    func obstacle(on eventLoop: any EventLoop) -> EventLoopFuture<String?> {
        switch state.withLock({ $0.phase }) {
        case .starting: eventLoop.makeSucceededFuture("starting")
        case .draining: eventLoop.makeSucceededFuture("draining")
        case .serving: usage(on: eventLoop).map { $0 == nil ? "the store cannot be reached" : nil }
        }
    }

    /// What the store has; nil where it cannot be reached, or does not answer in time.
    func usage(on eventLoop: any EventLoop) -> EventLoopFuture<StoreUsage?> {
        let now = NIODeadline.now()
        let promise = eventLoop.makePromise(of: StoreUsage?.self)
        enum Next {
            case tell(StoreUsage?)
            case wait(Int)
            case look(Int, ChunkStore)
        }
        let next = state.withLock { state -> Next in
            guard let store = state.store else { return .tell(nil) }
            if let last = state.last, now - last.time < Self.age { return .tell(last.usage) }
            let number = state.nextNumber
            state.nextNumber += 1
            state.waiting[number] = promise
            if state.isLooking { return .wait(number) }
            state.isLooking = true
            return .look(number, store)
        }
        switch next {
        case .tell(let usage): promise.succeed(usage)
        case .wait(let number): giveUp(number, on: eventLoop)
        case .look(let number, let store):
            giveUp(number, on: eventLoop)
            queue.add { [self] in finish(try? store.usage) }
        }
        return promise.futureResult
    }

    private func giveUp(_ number: Int, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: patience) { [self] in
            state.withLock { $0.waiting.removeValue(forKey: number) }?.succeed(nil)
        }
    }

    private func finish(_ usage: StoreUsage?) {
        let waiting = state.withLock { state in
            state.isLooking = false
            state.last = (usage, .now())
            defer { state.waiting = [:] }
            return state.waiting
        }
        for promise in waiting.values { promise.succeed(usage) }
    }
}
