import Synchronization

/// One value that somebody else makes, for tasks that wait for it: from callbacks and from threads into asynchronous code.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Result<Value, any Error>, Never>])
        case kept(Result<Value, any Error>)
    }

    private let state = Mutex(State.open([]))

    package init() {}

    /// Keeps the promise, from any thread. Later calls change nothing.
    package func keep(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Result<Value, any Error>, Never>] in
            guard case .open(let waiting) = state else { return [] }
            state = .kept(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }

    /// Waits, also where the task is cancelled: whoever made the promise keeps it.
    /// - Throws: the failure that it was kept with.
    package var value: Value {
        get async throws { try await result.get() }
    }

    /// The same as a result.
    package var result: Result<Value, any Error> {
        get async {
            await withCheckedContinuation { continuation in
                let kept = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .kept(let result): return result
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let kept { continuation.resume(returning: kept) }
            }
        }
    }
}
