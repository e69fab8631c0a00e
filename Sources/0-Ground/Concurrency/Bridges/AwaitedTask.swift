import Synchronization
import ValiseFailures

/// Asynchronous work that a thread waits for: the one way from synchronous code into tasks.
///
/// For threads that may wait: the one that a program began with, and those of ``BlockingExecutor``. Never on a thread of tasks:
/// the work may need that one.
package final class AwaitedTask<Value: Sendable>: Sendable {
    private let state = Mutex<Result<Value, any Error>?>(nil)
    private let news: Gate
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts the work.
    /// - Parameters:
    ///   - news: is signaled at its end; whoever else signals it lets ``result(after:)`` return before its time.
    ///   - work: runs in a task of its own.
    package init(news: Gate = Gate(), _ work: @escaping @Sendable () async throws -> Value) {
        self.news = news
        let task = Task.detached { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            state.withLock { $0 = result }
            news.signal()
        }
        self.task.withLock { $0 = task }
    }

    /// Cancels the task; it is waited for all the same.
    package func cancel() { task.withLock { $0 }?.cancel() }

    /// Waits for the end of the work, but no longer than `patience`, and only until somebody signals the gate.
    /// - Returns: nil while the work goes on.
    package func result(after patience: Duration) -> Result<Value, any Error>? {
        _ = news.wait(atMost: patience)
        return state.withLock { $0 }
    }

    /// How often a thread that waits looks whether anybody wants the value still.
    private static var interval: Duration { .milliseconds(50) }

    /// Waits for the end of the work. Where the task that waits is cancelled, the work is too, and is not waited for: it may be
    /// a dialog that knows nothing of that.
    /// - Throws: what the work threw; `Interruption` in a cancelled task.
    package func value() throws -> Value {
        while true {
            if let result = state.withLock({ $0 }) { return try result.get() }
            if Task.isCancelled {
                cancel()
                throw Interruption()
            }
            _ = news.wait(atMost: Self.interval)
        }
    }
}
