public import ValiseJobQueue

/// Releases jobs for the next run of jobs: all of them, or none where one cannot be released.
public struct ReleaseJobs: Operation {
    package var jobs: [JobID]
    /// Whether they failed or were cancelled, and get all their tries again. Else they wait, or need their user.
    package var retries: Bool

    /// - Parameters:
    ///   - jobs: the jobs to release.
    ///   - retries: whether their retries start over.
    public init(_ jobs: [JobID], retries: Bool = false) {
        self.jobs = jobs
        self.retries = retries
    }

    /// The jobs as they are, and what they work on.
    public func plan(in context: OperationContext) async throws -> OperationList {
        var records: [OperationRecord] = []
        for job in jobs { records.append(try await ShowJob(job).run(in: context)) }
        return OperationList(records: records)
    }

    /// - Returns: the jobs afterwards, in the order given.
    public func run(in context: OperationContext) async throws -> OperationList {
        _ = try await plan(in: context)
        return try await context.blocking { _ in
            let released = try UserJobs(context.folders).open().change { transaction in
                try jobs.map { try retries ? transaction.retry($0) : transaction.resume($0) }
            }
            return OperationList(records: released.map { OperationRecord($0) })
        }
    }
}
