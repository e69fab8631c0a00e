/// How often, and for how long, a request that failed for a moment is repeated.
package struct RetryRules: Sendable, Hashable {
    /// The first pause. Each one is twice as long as the one before.
    package var firstPause: Duration
    /// No pause is longer.
    package var longestPause: Duration
    /// How often a request is made in all.
    package var mostAttempts: Int
    /// No attempt begins later than this after the first one.
    package var longestTime: Duration
    /// The same for a server that was never reached: its address may be wrong, for which nobody waits so long.
    package var longestTimeUnseen: Duration

    /// - Parameters:
    ///   - firstPause: after the first failure.
    ///   - longestPause: no pause is longer.
    ///   - mostAttempts: 1 for none but the first.
    ///   - longestTime: from the first attempt to the beginning of the last.
    ///   - longestTimeUnseen: the same for a server that was never reached.
    package init(
        firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(60),
        mostAttempts: Int = 12, longestTime: Duration = .seconds(15 * 60),
        longestTimeUnseen: Duration = .seconds(30)
    ) {
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.mostAttempts = mostAttempts
        self.longestTime = longestTime
        self.longestTimeUnseen = min(longestTime, longestTimeUnseen)
    }

    /// For a service whose own clients wait for the answer: they give up after some seconds.
    package static let whileClientsWait = RetryRules(
        firstPause: .milliseconds(100), longestPause: .seconds(1), mostAttempts: 6, longestTime: .seconds(5),
        longestTimeUnseen: .seconds(5))

    /// The pause after an attempt that failed.
    ///
    /// - Parameters:
    ///   - attempt: from 1.
    ///   - jitter: from 0 to 1, so that those that failed together do not come back together: half of the pause depends on it.
    package func pause(after attempt: Int, jitter: Double) -> Duration {
        var pause = min(firstPause, longestPause)
        for _ in 1..<max(2, min(attempt, 64)) where attempt > 1 && pause < longestPause {
            pause = min(pause * 2, longestPause)
        }
        return pause * (0.5 + 0.5 * min(max(jitter, 0), 1))
    }
}
