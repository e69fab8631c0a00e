import CValisePlatform
import Synchronization
import ValiseAccounts
import ValiseConcurrency
import ValiseJobQueue

/// One act that runs in the foreground, with its job where it has one.
final class JobSession: Sendable {
    /// Nil without a job.
    let job: JobID?
    private let queue: JobQueue?
    private let context: JobContext?
    private let stop = StopFlag()
    private let kept: Mutex<[UInt8]?>

    /// An act without a job.
    init() {
        (job, queue, context) = (nil, nil, nil)
        kept = Mutex(nil)
    }

    init(_ lease: JobLease, in queue: JobQueue) {
        job = lease.id
        self.queue = queue
        context = JobContext(lease, in: queue) { [stop] in stop.set() }
        kept = Mutex(lease.job.checkpoint)
    }

    // MARK: For the act

    /// What an earlier run had remembered; nil for nothing.
    var memory: [UInt8]? { kept.withLock { $0 } }

    /// Keeps bytes for a later run, durable when it returns. Without a job nothing happens; nor is it the act's trouble
    /// when the queue cannot be written.
    func remember(_ bytes: [UInt8]) {
        kept.withLock { $0 = bytes }
        try? context?.checkpoint(bytes)
    }

    /// Says how far the act is; the queue learns it now and then.
    func show(_ progress: OperationProgress) { context?.report(JobProgress(progress)) }

    /// Whether the act is not wanted any more: the job was cancelled, or another process took it over.
    var isStopped: Bool { stop.isSet }

    /// Why ``isStopped``; nil where it is not.
    var stopReason: String? {
        guard isStopped, let job else { return nil }
        return context?.isLost == true
            ? "another run has taken job \(job) over" : "job \(job) was cancelled"
    }

    /// Ends the heartbeats, and settles what becomes of the job. Nobody is told where that fails: a later run finds the
    /// job, and that the act is done.
    func end(_ fate: ActFate) { Self.end([(self, fate)]) }

    /// The same for several of one queue at once, as a commit waits for the disk.
    static func end(_ ends: [(session: JobSession, fate: ActFate)]) {
        guard let queue = ends.compactMap({ $0.session.queue }).first else { return }
        for (session, _) in ends { session.context?.end() }
        _ = try? queue.change { transaction in
            for (session, fate) in ends {
                guard let lease = session.context?.lease else { continue }
                do {
                    try settle(lease, fate, transaction)
                } catch let error as JobQueueError where error.kind == .leaseLost {
                    // Whoever took it over settles that one.
                }
            }
        }
    }

    private static func settle(
        _ lease: JobLease, _ fate: ActFate, _ transaction: borrowing JobTransaction
    ) throws {
        switch fate {
        case .done:
            try transaction.finish(lease)
            try? transaction.remove(lease.id)
        case .gone(let reason):
            let job = try transaction.fail(lease, .permanent(reason))
            if job.state == .failed { try? transaction.remove(lease.id) }
        case .interrupted: try transaction.giveBack(lease)
        case .later(let reason): try transaction.fail(lease, .temporary(reason))
        case .person(let reason): try transaction.fail(lease, .needsPerson(reason))
        }
    }

    // MARK: The one of this process

    private static let current = Mutex<JobSession?>(nil)

    /// What `OutputOptions.withProgress` and `AsynchronousWork` report to; nil where no act runs as a job.
    static var running: JobSession? { current.withLock { $0 } }

    /// Whether the work of this process is to stop where it leaves nothing behind: the user interrupts, or the job is
    /// not wanted any more.
    static var isToStop: Bool { valise_interrupted() || running?.isStopped == true }

    /// Runs an act as the one of this process.
    func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        Self.current.withLock { $0 = self }
        defer { Self.current.withLock { $0 = nil } }
        return try body()
    }
}
