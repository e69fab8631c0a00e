import Synchronization

/// How fast a transfer is and how long the rest of it takes, by what came in the last seconds.
final class TransferPace: Sendable {
    private struct Sample {
        let moment: ContinuousClock.Instant
        let done: Int64
    }

    /// In the order of their moments; the first one is just outside of the window.
    private let samples = Mutex<[Sample]>([])

    /// Shorter ones jump with each chunk.
    private static let window: Duration = .seconds(20)
    /// Before, nothing is said.
    private static let patience: Duration = .seconds(2)

    /// - Returns: such as `12.3 MB/s, 2 min left`; nil in the first seconds, and while nothing comes.
    func text(done: Int64, total: Int64, now: ContinuousClock.Instant = .now) -> String? {
        samples.withLock { samples in
            if let last = samples.last, done < last.done { samples = [] }
            samples.append(Sample(moment: now, done: done))
            while samples.count > 2, now - samples[1].moment > Self.window { samples.removeFirst() }
            guard let first = samples.first, now - first.moment >= Self.patience, done > first.done else {
                return nil
            }
            let rate = Double(done - first.done) / ((now - first.moment) / .seconds(1))
            let left = Double(max(0, total - done)) / rate
            guard left < 360_000 else { return "\(ByteCount.text(Int64(rate)))/s" }
            return "\(ByteCount.text(Int64(rate)))/s, \(ExpiryClock.duration(Int64(left.rounded(.up)))) left"
        }
    }

    /// What was done before this run says nothing of its pace.
    func restart() { samples.withLock { $0 = [] } }
}
