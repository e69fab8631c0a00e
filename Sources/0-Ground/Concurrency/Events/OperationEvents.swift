import Synchronization

/// The events of one operation, for one reader.
///
/// What is not read yet is bounded by what matters: of progress the last one, of notes and failures of entries all. A slow
/// reader never holds the operation up, and never misses a note.
public final class OperationEvents: AsyncSequence, Sendable {
    private struct State {
        var progress: OperationProgress?
        var others: [OperationEvent] = []
        /// How many of ``others`` were taken; they are dropped together.
        var taken = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    /// Wakes the reader; one signal is enough for whatever came.
    private let signal: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    public init() {
        (signal, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an event. Never waits.
    public func send(_ event: OperationEvent) {
        state.withLock { state in
            if case .progress(let progress) = event {
                state.progress = progress
            } else {
                state.others.append(event)
            }
        }
        wake.yield()
    }

    /// Adds progress, see ``send(_:)``.
    public func send(_ progress: OperationProgress) { send(.progress(progress)) }

    /// Ends the sequence, behind what was sent before.
    public func finish() {
        state.withLock { $0.isFinished = true }
        wake.finish()
    }

    /// Notes first, in the order in which they came.
    fileprivate func take() -> OperationEvent? {
        state.withLock { state in
            if state.taken < state.others.count {
                defer { if state.taken == state.others.count { (state.others, state.taken) = ([], 0) } }
                state.taken += 1
                return state.others[state.taken - 1]
            }
            defer { state.progress = nil }
            return state.progress.map { .progress($0) }
        }
    }

    // MARK: For the reader

    public func makeAsyncIterator() -> Iterator { Iterator(events: self, signal: signal.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let events: OperationEvents
        fileprivate var signal: AsyncStream<Void>.Iterator

        /// - Returns: nil at the end, and when the task is cancelled and everything was read.
        public mutating func next() async -> OperationEvent? {
            while true {
                if let event = events.take() { return event }
                if await signal.next() == nil { return events.take() }
            }
        }
    }
}
