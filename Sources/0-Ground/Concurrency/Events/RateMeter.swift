/// How fast something goes, by what was done in the last seconds.
package struct RateMeter: Sendable {
    private struct Sample {
        let moment: ContinuousClock.Instant
        let completed: Int64
    }

    /// In the order of their moments; the first one is just outside the window.
    private var samples: [Sample] = []

    /// Shorter ones jump with each chunk.
    private static let window: Duration = .seconds(20)
    /// Before, nothing is said.
    private static let patience: Duration = .seconds(2)

    package init() {}

    /// - Parameters:
    ///   - completed: how much is done by now.
    ///   - now: the time of this measurement.
    /// - Returns: units a second; nil in the first seconds, and while nothing comes.
    package mutating func rate(_ completed: Int64, now: ContinuousClock.Instant = .now) -> Double? {
        if let last = samples.last, completed < last.completed { samples = [] }
        samples.append(Sample(moment: now, completed: completed))
        while samples.count > 2, now - samples[1].moment > Self.window { samples.removeFirst() }
        guard let first = samples.first, now - first.moment >= Self.patience, completed > first.completed
        else { return nil }
        return Double(completed - first.completed) / ((now - first.moment) / .seconds(1))
    }

    /// What was done before says nothing of what comes.
    package mutating func restart() { samples = [] }
}
