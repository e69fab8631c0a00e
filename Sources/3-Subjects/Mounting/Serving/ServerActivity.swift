import Synchronization

/// When something was last asked for.
package final class ServerActivity: Sendable {
    private struct State {
        var running = 0
        var last = ContinuousClock.now
    }

    private let state = Mutex(State())

    package init() {}

    /// A request begins.
    package func begin() { state.withLock { $0.running += 1 } }

    /// A request has ended.
    package func end() {
        state.withLock { state in
            state.running -= 1
            state.last = .now
        }
    }

    /// Waits until nothing was asked for as long as this.
    /// - Returns: false where the task is cancelled before.
    package func isIdle(for limit: Duration) async -> Bool {
        while true {
            let rest = state.withLock { state in
                state.running > 0 ? limit : limit - (ContinuousClock.now - state.last)
            }
            if rest <= .zero { return true }
            do { try await Task.sleep(for: rest) } catch { return false }
        }
    }
}
