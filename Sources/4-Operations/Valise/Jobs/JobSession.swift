import Synchronization
import ValiseConcurrency
import ValiseJobQueue

/// One operation that runs in the foreground, with its job where it has one.
final class JobSession: Sendable {
    /// Nil without a job.
    let job: JobID?
    /// Whether an earlier run had taken the job.
    let isResumed: Bool
    private let queue: JobQueue?
    private let context: JobContext?
    private let stop = StopSignal()
    private let kept: Mutex<[UInt8]?>

    /// An operation without a job.
    init() {
        (job, queue, context, isResumed) = (nil, nil, nil, false)
        kept = Mutex(nil)
    }

    init(_ lease: JobLease, in queue: JobQueue) {
        job = lease.id
        // Tokens count from 1.
        isResumed = lease.token > 1
        self.queue = queue
        context = JobContext(lease, in: queue) { [stop] in stop.set() }
        kept = Mutex(lease.job.checkpoint)
    }

    // MARK: For the operation

    /// What an earlier run had remembered; nil for nothing.
    var memory: [UInt8]? { kept.withLock { $0 } }

    /// Keeps bytes for a later run, durable when it returns. Without a job nothing happens; nor is it the operation's trouble
    /// when the queue cannot be written.
    func remember(_ bytes: [UInt8]) {
        kept.withLock { $0 = bytes }
        try? context?.checkpoint(bytes)
    }

    /// Says how far the operation is; the queue learns it now and then.
    func show(_ progress: OperationProgress) { context?.report(progress.withoutControls) }

    /// Runs the operation in a task that is cancelled when the job is not wanted any more.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard context != nil else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask { [stop] in
                await stop.wait()
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }

    /// Why the operation was stopped; nil where it was not.
    var stopNote: JobNote? {
        guard stop.isSet, let job else { return nil }
        return context?.isLost == true ? .takenOver(job) : .cancelled(job)
    }

    /// Whether it was stopped because somebody cancelled its job.
    var isCancelled: Bool { if case .cancelled? = stopNote { true } else { false } }

    // MARK: Its end

    /// Ends the heartbeats, and settles what becomes of the job. Nobody is told where that fails: a later run finds the
    /// job, and that the operation is done.
    func end(_ disposition: JobDisposition) { Self.end([(self, disposition)]) }

    /// The same for several of one queue at once, as a commit waits for the disk.
    static func end(_ ends: [(session: JobSession, disposition: JobDisposition)]) {
        guard let queue = ends.compactMap({ $0.session.queue }).first else { return }
        for (session, _) in ends { session.context?.end() }
        _ = try? queue.change { transaction in
            for (session, disposition) in ends {
                guard let lease = session.context?.lease else { continue }
                do {
                    try settle(lease, disposition, transaction)
                } catch let error as JobQueueError where error.kind == .leaseLost {
                    // Whoever took it over settles that one.
                }
            }
        }
    }

    private static func settle(
        _ lease: JobLease, _ disposition: JobDisposition, _ transaction: borrowing JobTransaction
    ) throws {
        switch disposition {
        case .done:
            try transaction.finish(lease)
            try? transaction.remove(lease.id)
        case .gone(let reason):
            let job = try transaction.fail(lease, .permanent(reason))
            if job.state == .failed { try? transaction.remove(lease.id) }
        case .interrupted: try transaction.release(lease)
        case .later(let reason): try transaction.fail(lease, .temporary(reason))
        case .needsUser(let reason): try transaction.fail(lease, .needsUser(reason))
        }
    }
}
