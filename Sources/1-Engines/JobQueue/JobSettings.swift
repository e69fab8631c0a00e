/// How long a queue waits for what.
package struct JobSettings: Sendable {
    /// How long a worker need not be heard of.
    package var lease: Duration
    /// After the first temporary failure; twice as long after each further one.
    package var firstPause: Duration
    /// The longest pause between two tries.
    package var longestPause: Duration
    /// How long another process may have the database.
    package var patience: Duration
    /// A number from 0 to 1: which part of the second half of a pause is waited for, so that not all try at once.
    package var jitter: @Sendable () -> Double

    package init(
        lease: Duration = .seconds(60), firstPause: Duration = .seconds(5),
        longestPause: Duration = .seconds(3600), patience: Duration = .seconds(30),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.lease = lease
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.patience = patience
        self.jitter = jitter
    }

    /// In milliseconds.
    func pause(afterAttempts attempts: Int) -> Int64 {
        let most = longestPause.milliseconds
        var pause = min(firstPause.milliseconds, most)
        for _ in 1..<max(attempts, 1) where pause < most { pause = min(pause * 2, most) }
        return pause / 2 + Int64(Double(pause - pause / 2) * jitter().clamped)
    }
}

extension Double {
    fileprivate var clamped: Double { min(max(self, 0), 1) }
}

extension Duration {
    /// None are negative, and none longer than ten thousand years.
    var milliseconds: Int64 {
        let most: Int64 = 10_000 * 366 * 86_400
        let (seconds, fraction) = components
        return min(max(seconds, 0), most) * 1000
            + (seconds < 0 ? 0 : max(fraction, 0) / 1_000_000_000_000_000)
    }
}
