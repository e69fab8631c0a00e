package import ValiseConcurrency

/// What a worker does.
extension JobTransaction {
    /// Takes the oldest job that can run, if there is one.
    ///
    /// Jobs whose workers are gone are given back before, whatever their queue.
    ///
    /// - Parameters:
    ///   - queue: from which one is taken.
    ///   - kinds: only these; nil for any.
    ///   - limit: how many jobs of this queue may run at once, those of other processes counted; nil for any number.
    package borrowing func take(
        queue: JobQueueName, kinds: Set<String>? = nil, limit: Int? = nil
    ) throws -> JobLease? {
        try database.take(queue: queue, kinds: kinds, limit: limit)
    }

    /// Takes this job, also before the time of its next try, and whatever else runs in its queue.
    ///
    /// - Throws: ``JobQueueError``: `isRunning` when a worker that lives has it; `wrongState` when it has ended, waits for a
    ///   user, or needs what is not finished; `noSuchJob`.
    package borrowing func take(_ id: JobID) throws -> JobLease { try database.take(id) }

    /// Says that the worker lives, and how far it is.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    package borrowing func heartbeat(_ lease: JobLease, progress: OperationProgress? = nil) throws
        -> JobSignal
    {
        try database.heartbeat(lease, progress: progress)
    }

    /// Keeps what the next run of the job may go on from.
    /// - Throws: ``JobQueueError``: `leaseLost`; `other` for more than ``JobRequest/mostBytes``.
    package borrowing func checkpoint(_ lease: JobLease, _ bytes: [UInt8]) throws {
        try database.checkpoint(lease, bytes)
    }

    /// Ends the job as done. What needs it can run from now on.
    /// - Throws: ``JobQueueError``: `leaseLost`; `other` for a result of more than ``JobRequest/mostBytes``.
    @discardableResult
    package borrowing func finish(_ lease: JobLease, result: [UInt8]? = nil) throws -> Job {
        try database.finish(lease, result: result)
    }

    /// Ends the run as failed. A job that was cancelled meanwhile is cancelled. Where the run left another checkpoint than
    /// it found, or was further than the runs before, its temporary failure is the first one again.
    /// - Returns: the job: waiting for another try or for a user, or a dead letter.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    @discardableResult
    package borrowing func fail(_ lease: JobLease, _ failure: JobFailure) throws -> Job {
        try database.fail(lease, failure)
    }

    /// Ends the run without a verdict, so that the job can run again. A job that was cancelled meanwhile is cancelled.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    @discardableResult
    package borrowing func release(_ lease: JobLease) throws -> Job { try database.release(lease) }

    /// Ends a run that stopped although nobody asked it to. That is no failure, and no number of them makes a dead letter,
    /// but the job pauses as after a failure: longer each time, until a run gets further. A job that was cancelled
    /// meanwhile is cancelled.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    @discardableResult
    package borrowing func pause(_ lease: JobLease) throws -> Job { try database.pause(lease) }
}
