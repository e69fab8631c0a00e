public import ValiseJobQueue

/// Cancels jobs; finished ones are removed.
public struct CancelJobs: Operation {
    package var jobs: [JobID]

    /// - Parameter jobs: the jobs to cancel; finished ones are removed.
    public init(_ jobs: [JobID]) { self.jobs = jobs }

    /// What each of them leaves behind.
    public func plan(in context: OperationContext) async throws -> OperationList {
        try await ReleaseJobs(jobs).plan(in: context)
    }

    /// One of them.
    package struct Cancelled: Sendable {
        /// The job afterwards; a finished one unchanged.
        package let job: Job
        /// Whether it was finished and has been removed from the list.
        package let wasRemoved: Bool
        /// What stays behind; nil for nothing.
        package let leftovers: JobLeftovers?
    }

    /// What became of the jobs.
    public struct Report: Sendable {
        package let cancelled: [Cancelled]

        /// The jobs afterwards, in the order given. Those that run are asked to stop; those that had finished or were cancelled
        /// before are as they were, and no longer in the list.
        public var jobs: [Job] { cancelled.map(\.job) }
    }

    public func run(in context: OperationContext) async throws -> Report {
        // A number that is none changes nothing.
        let records = try await plan(in: context).records
        return try await context.blocking { _ in
            let queue = try UserJobs(context.folders).open()
            return Report(cancelled: try records.compactMap { try Self.cancel($0, in: queue) })
        }
    }

    /// - Returns: nil for a job that somebody else has removed meanwhile.
    private static func cancel(_ record: OperationRecord, in queue: JobQueue) throws -> Cancelled? {
        guard let id = record.job?.id, let job = try queue.job(id) else { return nil }
        guard job.state.isEnded else {
            let cancelled = try queue.change { try $0.cancel(id) }
            return Cancelled(job: cancelled, wasRemoved: false, leftovers: record.leftovers)
        }
        try queue.change { try $0.remove(id) }
        return Cancelled(job: job, wasRemoved: true, leftovers: nil)
    }
}
