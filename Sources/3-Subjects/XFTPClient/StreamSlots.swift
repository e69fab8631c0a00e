import Synchronization

/// So many at a time; who comes later waits in line.
final class StreamSlots: Sendable {
    fileprivate struct State {
        var limit: Int
        var taken = 0
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextID: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(limit: count)) }

    /// Runs `body` in a slot.
    /// - Throws: `CancellationError` when the task is cancelled while it waits; what `body` throws.
    func withSlot<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await take()
        defer { give() }
        return try await body()
    }

    /// Takes a slot that is given back before its owner is done with everything.
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    func hold() async throws -> HeldSlot {
        try await take()
        return HeldSlot(of: self)
    }

    /// Changes how many there are; at least one. Those that are taken stay until they are given back.
    func limit(_ change: (Int) -> Int) {
        let next = state.withLock { state in
            state.limit = max(1, change(state.limit))
            return state.takeNext()
        }
        for continuation in next { continuation.resume() }
    }

    private func take() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.taken < state.limit, !Task.isCancelled {
                        state.taken += 1
                        return true
                    }
                    state.waiting.append((id, continuation))
                    return false
                }
                if isFree { continuation.resume() } else if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Whoever takes the continuation out of the line resumes it, so that it is resumed once.
    private func leave(_ id: UInt64) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: CancellationError())
    }

    fileprivate func give() {
        let next = state.withLock { state in
            state.taken -= 1
            return state.takeNext()
        }
        for continuation in next { continuation.resume() }
    }
}

/// A slot until it is released, which may be asked for more than once.
final class HeldSlot: Sendable {
    private let slots: StreamSlots
    private let isReleased = Atomic(false)

    fileprivate init(of slots: StreamSlots) { self.slots = slots }

    func release() {
        if !isReleased.exchange(true, ordering: .relaxed) { slots.give() }
    }
}

extension StreamSlots.State {
    /// Takes the free slots for those who are first in the line.
    fileprivate mutating func takeNext() -> [CheckedContinuation<Void, any Error>] {
        let count = min(max(0, limit - taken), waiting.count)
        taken += count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.continuation)
    }
}
