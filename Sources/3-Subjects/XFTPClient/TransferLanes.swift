import Synchronization

/// How many chunks are on their way at a time, over all relays: they share this machine's line. On a line that is too slow
/// for as many as there are, all of them would come too late together, time after time; so there are fewer after that.
final class TransferLanes: Sendable {
    fileprivate struct State {
        var active = 0
        /// As many as there may be; nil for as many as come.
        var limit: Int?
        /// Those that were under way when there became fewer do not make it fewer still.
        var changes = 0
        var successes = 0
    }

    /// So many in a row were in time before there is one more again.
    static let successesForMore = 16

    private let slots = StreamSlots(.max)
    private let state = Mutex(State())

    /// Runs one transfer.
    ///
    /// - Parameter body: calls its argument before it fails because the line is too slow.
    /// - Throws: what `body` throws; `CancellationError`.
    func withLane<Result>(
        _ body: (_ isTooSlow: () -> Void) async throws -> Result
    ) async throws -> Result {
        try await slots.withSlot {
            let changes = state.withLock { state in
                state.active += 1
                return state.changes
            }
            defer { state.withLock { $0.active -= 1 } }
            let result = try await body { apply { $0.wasTooSlow(begunAt: changes) } }
            apply { $0.succeeded() }
            return result
        }
    }

    private func apply(_ change: (inout State) -> Void) {
        let limit = state.withLock { state in
            change(&state)
            return state.limit
        }
        slots.limit { _ in limit ?? .max }
    }
}

extension TransferLanes.State {
    fileprivate mutating func wasTooSlow(begunAt changes: Int) {
        successes = 0
        guard changes == self.changes else { return }
        self.changes += 1
        limit = max(1, active / 2)
    }

    fileprivate mutating func succeeded() {
        guard let limit else { return }
        successes += 1
        guard successes == TransferLanes.successesForMore else { return }
        successes = 0
        self.limit = limit + 1
    }
}
