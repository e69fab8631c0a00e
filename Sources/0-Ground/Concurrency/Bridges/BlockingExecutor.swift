import Synchronization

/// Runs the blocking calls of asynchronous code (files, ciphers, databases) away from the few threads of tasks, which must
/// never block.
///
/// The body runs inside the task that asks for it. So `Task.isCancelled` is true in it once the task is cancelled, and it
/// alone decides what follows from that.
public final class BlockingExecutor: TaskExecutor {
    /// The one of this process.
    public static let shared = BlockingExecutor(threads: 64)

    private struct State {
        /// What waits for a thread, the newest last.
        var waiting: [UnownedJob] = []
        /// How many of `waiting` were taken; they are dropped together.
        var taken = 0
        var threads = 0

        mutating func next() -> UnownedJob? {
            guard taken < waiting.count else {
                threads -= 1
                return nil
            }
            taken += 1
            let job = waiting[taken - 1]
            if taken == waiting.count { (waiting, taken) = ([], 0) }
            return job
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter threads: how many there are at most. They are started when they are needed, and end when nothing waits.
    package init(threads: Int) { most = threads }

    /// Runs something that may block.
    ///
    /// - Parameter body: starts even in a cancelled task, because work done elsewhere must be recorded. It checks
    ///   `Task.isCancelled` where it can stop.
    /// - Throws: whatever `body` throws.
    public func run<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(self) { try body() }
    }

    /// Runs the job on one of its threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.waiting.append(job)
            guard state.threads < most else { return false }
            state.threads += 1
            return true
        }
        if needsThread { WorkerThread.start { self.work() } }
    }

    private func work() {
        while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
