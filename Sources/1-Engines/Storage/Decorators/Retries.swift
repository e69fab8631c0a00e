import Synchronization

/// Repeats requests that fail for a moment, with growing pauses, for stores of any kind.
final class Retries: Sendable {
    /// In seconds; servers may say any number.
    private static let longestPause = 86_400

    private let rules: RetryRules
    private let clock: StorageClock
    private let jitter: @Sendable () -> Double
    private let checkpoint: @Sendable () throws -> Void
    private let observer: @Sendable (RetryingStore.Retry) -> Void
    /// Whether the server ever answered.
    private let hasAnswered = Atomic(false)

    /// - Parameters:
    ///   - rules: how often.
    ///   - clock: waits.
    ///   - jitter: random numbers from 0 to 1.
    ///   - checkpoint: is asked before each attempt and often in pauses; throw to stop.
    ///   - observer: gets each failure that is followed by another attempt.
    init(
        _ rules: RetryRules, _ clock: StorageClock, _ jitter: @escaping @Sendable () -> Double,
        _ checkpoint: @escaping @Sendable () throws -> Void,
        _ observer: @escaping @Sendable (RetryingStore.Retry) -> Void
    ) {
        self.rules = rules
        self.clock = clock
        self.jitter = jitter
        self.checkpoint = checkpoint
        self.observer = observer
    }

    /// Runs a request until it succeeds, fails for good, or was tried for too long.
    func run<Value>(_ body: () throws -> Value) throws -> Value { try runCounting { _ in try body() } }

    /// The same for one that comes closer to its end with each attempt.
    ///
    /// - Parameter body: calls what it is given whenever it has come closer: attempts and time are counted anew from there.
    func runCounting<Value>(_ body: (_ progressed: () -> Void) throws -> Value) throws -> Value {
        var start = clock.now()
        var attempts = 0
        while true {
            try checkpoint()
            do {
                attempts += 1
                let value = try body {
                    start = clock.now()
                    attempts = 1
                }
                hasAnswered.store(true, ordering: .relaxed)
                return value
            } catch let error as StorageError {
                try wait(after: error, attempts, since: start)
            }
        }
    }

    /// - Throws: the failure, where it is not to be tried again.
    private func wait(
        after error: StorageError, _ attempts: Int, since start: ContinuousClock.Instant
    ) throws {
        if error.kind != .unreachable { hasAnswered.store(true, ordering: .relaxed) }
        guard error.isTransient else { throw error }
        // A busy server knows best when it is not.
        let pause = max(
            rules.pause(after: attempts, jitter: jitter()),
            .seconds(min(error.retryAfter ?? 0, Self.longestPause)))
        let patience = hasAnswered.load(ordering: .relaxed) ? rules.longestTime : rules.longestTimeUnseen
        guard attempts < rules.mostAttempts, clock.now() - start + pause <= patience else { throw error }
        observer(RetryingStore.Retry(error: error, attempts: attempts, pause: pause))
        try clock.wait(pause, checkpoint)
    }
}
