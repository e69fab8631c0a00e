/// When a request that failed for a time is made again (XFTP fact sheet, §8.3).
package struct RetryPolicy: Sendable, Hashable {
    /// The first pause.
    package var firstPause: Duration
    /// Pauses stay as they are until so much time was spent in them, and then grow.
    package var constantTime: Duration
    package var growth: Double
    package var longestPause: Duration
    /// How often a request is made in all; nil for no end.
    package var attempts: Int?

    /// - Parameters:
    ///   - firstPause: after the first failure.
    ///   - constantTime: so long pauses do not grow.
    ///   - growth: by which factor a pause is longer than the one before.
    ///   - longestPause: no pause is longer.
    ///   - attempts: 1 for none but the first.
    package init(
        firstPause: Duration = .seconds(2), constantTime: Duration = .seconds(10), growth: Double = 1.5,
        longestPause: Duration = .seconds(180), attempts: Int? = 3
    ) {
        precondition(growth >= 1 && attempts ?? 1 > 0, "a policy that never tries, or tries ever faster")
        self.firstPause = firstPause
        self.constantTime = constantTime
        self.growth = growth
        self.longestPause = longestPause
        self.attempts = attempts
    }

    /// As official clients do with chunks that exist.
    package static let transfer = RetryPolicy()
    /// As they do while they look for a relay that takes a new chunk.
    package static let creation = RetryPolicy(longestPause: .seconds(120), attempts: nil)
    package static let never = RetryPolicy(attempts: 1)

    /// The pauses between attempts, as many as there are.
    package var pauses: some Sequence<Duration> & Sendable {
        sequence(state: PauseState(policy: self)) { $0.next() }
    }

    private struct PauseState: Sendable {
        let policy: RetryPolicy
        var left: Int?
        var pause: Duration
        var spent = Duration.zero

        init(policy: RetryPolicy) {
            self.policy = policy
            pause = policy.firstPause
            left = policy.attempts.map { $0 - 1 }
        }

        mutating func next() -> Duration? {
            if let left {
                guard left > 0 else { return nil }
                self.left = left - 1
            }
            if spent >= policy.constantTime { pause = min(pause * policy.growth, policy.longestPause) }
            spent += pause
            return pause
        }
    }

    /// Runs `attempt` until it succeeds, fails for good, or the attempts are used up.
    ///
    /// - Parameters:
    ///   - isTemporary: whether another attempt makes sense. As it stands, that of ``XFTPClientError``.
    ///   - sleep: waits; as it stands by the system's clock.
    ///   - willRetry: is told of a failure and of the pause that follows.
    ///   - attempt: what is tried.
    /// - Throws: the last failure; `CancellationError`.
    package func run<Result>(
        isTemporary: (any Error) -> Bool = { ($0 as? XFTPClientError)?.isTemporary == true },
        sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        willRetry: (any Error, Duration) async -> Void = { _, _ in },
        _ attempt: () async throws -> Result
    ) async throws -> Result {
        for pause in pauses {
            do {
                return try await attempt()
            } catch  where isTemporary(error) {
                await willRetry(error, pause)
                try await sleep(pause)
            }
        }
        return try await attempt()
    }
}
