import ValiseFailures
package import ValiseJobQueue

/// Shows one job, also one that only a newer version knows.
package struct ShowJob: Operation {
    package var job: JobID

    /// - Parameter job: the job to show.
    package init(_ job: JobID) { self.job = job }

    /// - Throws: ``OperationError`` with `notFound`; `JobQueueError`.
    package func run(in context: OperationContext) async throws -> OperationRecord {
        try await context.blocking { _ in
            let queue = try UserJobs(context.folders).existing()
            guard let found = try queue?.job(job) else {
                throw OperationError(
                    .notFound, "no such job", subject: "job \(job)", need: .knownJob)
            }
            return OperationRecord(found)
        }
    }
}
