public import Failures
import Synchronization

/// A running job's line to the queue: it sends the heartbeats, from making it until ``end()``.
///
/// For handlers, and for a foreground act that took a lease itself. All calls may come from any thread.
public final class JobContext: Sendable {
    public let lease: JobLease
    private let queue: JobQueue

    /// - Parameter onStop: called once, from any thread, when the job is cancelled or the lease is lost.
    public init(_ lease: JobLease, in queue: JobQueue, onStop: @escaping @Sendable () -> Void = {}) {
        self.lease = lease
        self.queue = queue
    }

    /// Says how far the job is. It is written with the next heartbeat, at most once a second.
    public func report(_ progress: JobProgress) {}

    /// Keeps what the next run may go on from. It is durable when this returns.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    public func checkpoint(_ bytes: [UInt8]) throws {}

    /// Whether a person does not want the job any more.
    public var isCancelled: Bool { false }

    /// Whether another worker took the job over: stop at once, nothing of this run counts any more.
    public var isLost: Bool { false }

    /// - Throws: `Interruption` when the job is cancelled; ``JobQueueError``: `leaseLost`.
    public func check() throws {}

    /// Ends the heartbeats; the lease is to be finished, failed or given back then. Several times is once.
    public func end() {}
}
