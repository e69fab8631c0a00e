import Synchronization
import ValiseConcurrency

/// So many at a time; who comes later waits in line.
final class StreamSlots: Sendable {
    fileprivate struct State {
        var limit: Int
        var taken = 0
        var waiting: [(id: UInt64, turn: Promise<Void>)] = []
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
        for turn in next { turn.keep(.success(())) }
    }

    private func take() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            let turn = Promise<Void>()
            let isFree = state.withLock { state in
                if state.taken < state.limit, !Task.isCancelled {
                    state.taken += 1
                    return true
                }
                state.waiting.append((id, turn))
                return false
            }
            if isFree { return }
            if Task.isCancelled { leave(id) }
            try await turn.value
        } onCancel: {
            leave(id)
        }
    }

    /// Whoever takes a turn out of the line has to keep it.
    private func leave(_ id: UInt64) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
        }
        turn?.keep(.failure(CancellationError()))
    }

    fileprivate func give() {
        let next = state.withLock { state in
            state.taken -= 1
            return state.takeNext()
        }
        for turn in next { turn.keep(.success(())) }
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
    fileprivate mutating func takeNext() -> [Promise<Void>] {
        let count = min(max(0, limit - taken), waiting.count)
        taken += count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.turn)
    }
}
