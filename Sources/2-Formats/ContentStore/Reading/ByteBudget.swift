import Synchronization
import ValiseConcurrency

/// The bytes that some threads may have in memory together.
///
/// One thread at a time waits for bytes: whoever shares a budget takes them in an order.
final class ByteBudget: Sendable {
    private struct State {
        var free: Int
        var isWaiting = false
        var hasEnded = false
    }

    private let total: Int
    private let state: Mutex<State>
    private let gate = Gate()

    init(_ total: Int) {
        self.total = total
        state = Mutex(State(free: total))
    }

    /// Waits until so many bytes are free, and takes them. What is more than the whole budget gets all of it, when nobody else has
    /// a part.
    /// - Returns: false once the budget has ended.
    func take(_ count: Int) -> Bool {
        while true {
            let outcome: Bool? = state.withLock { state in
                if state.hasEnded { return false }
                if count <= state.free || state.free == total {
                    state.free -= count
                    return true
                }
                state.isWaiting = true
                return nil
            }
            if let outcome { return outcome }
            gate.wait()
        }
    }

    /// Gives bytes back.
    func give(_ count: Int) {
        wakeAfter { $0.free += count }
    }

    /// Nobody waits any more.
    func end() {
        wakeAfter { $0.hasEnded = true }
    }

    private func wakeAfter(_ change: (inout State) -> Void) {
        let wakes = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if wakes { gate.signal() }
    }
}
