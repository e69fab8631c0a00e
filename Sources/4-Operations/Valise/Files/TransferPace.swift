import Synchronization
import ValiseConcurrency

/// How fast a transfer is, for events that come from several tasks.
final class TransferPace: Sendable {
    private let meter = Mutex(RateMeter())

    /// - Returns: bytes in a second; nil in the first seconds, and while nothing comes.
    func rate(_ done: Int64) -> Double? { meter.withLock { $0.rate(done) } }

    /// What was done before this run says nothing of its pace.
    func restart() { meter.withLock { $0.restart() } }
}
