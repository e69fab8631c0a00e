import Synchronization

/// Where blocking calls of asynchronous code run: files, ciphers, databases, away from the few threads of tasks, which must
/// never wait.
///
/// The body runs inside of the task that asks for it. So `Task.isCancelled` is true in it once the task is cancelled, and it
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
    /// - Parameter body: begins whether the task is cancelled or not, as what was done elsewhere is to be noted; asks
    ///   `Task.isCancelled` where it may stop.
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
