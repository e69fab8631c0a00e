/// Runs the jobs of a queue, each queue name side by side with the others.
public struct JobRunner: Sendable {
    /// When a runner has done its work.
    public enum End: Sendable {
        /// When nothing can run now; what waits for a later time or a person stays.
        case idle
        /// When nothing is left that could ever run by itself: later tries are waited for.
        case settled
        /// Only when its task is cancelled.
        case cancelled
    }

    /// What a runner tells.
    public enum Event: Sendable {
        case started(Job)
        case progress(Job, JobProgress)
        /// The run ended, with the job as it is now: finished, waiting for another try, failed, cancelled …
        case ended(Job)
        /// The job was taken over by another worker, or its end could not be written.
        case lost(Job, any Error)
    }

    let queue: JobQueue
    let handlers: [String: any JobHandler]
    let concurrency: [JobQueueName: Int]
    let observer: @Sendable (Event) -> Void

    /// - Parameters:
    ///   - handlers: one for each kind; jobs of other kinds are left alone.
    ///   - concurrency: how many jobs of a queue run at once, those of other processes counted; 1 where none is said.
    ///   - observer: called from any thread.
    public init(
        _ queue: JobQueue, handlers: [any JobHandler], concurrency: [JobQueueName: Int] = [.transfers: 2],
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.queue = queue
        self.handlers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
        self.concurrency = concurrency
        self.observer = observer
    }

    /// Runs jobs until `end`. When its task is cancelled, the handlers' tasks are, and their jobs are given back.
    /// - Throws: ``JobQueueError`` when the queue cannot be used any more.
    public func run(until end: End) async throws {}

    /// Runs one job that was taken before.
    /// - Returns: the job as its run left it.
    /// - Throws: ``JobQueueError``: `leaseLost`; `other` where no handler is of its kind.
    public func run(_ lease: JobLease) async throws -> Job { lease.job }
}
