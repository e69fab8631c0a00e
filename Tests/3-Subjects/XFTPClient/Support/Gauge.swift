import Synchronization

/// Counts up and down, for several tasks.
final class Gauge: Sendable {
    private let state = Mutex((now: 0, most: 0))

    func add(_ count: Int) {
        state.withLock { state in
            state.now += count
            state.most = max(state.most, state.now)
        }
    }

    var value: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }

    /// Waits until there were so many at once; half a minute, where they do not come.
    func reach(_ count: Int) async throws {
        for _ in 0..<6000 where most < count { try await Task.sleep(for: .milliseconds(5)) }
    }
}
