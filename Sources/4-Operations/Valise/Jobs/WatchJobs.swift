import ValiseConcurrency
import ValiseFailures
package import ValiseJobQueue

/// Watches jobs that other processes run, until none runs. Nothing is changed.
package struct WatchJobs: Operation {
    /// What is seen of them.
    package enum Event: Sendable {
        /// One began, or got further.
        case changed(Job)
        /// One does not run any more, and how it is now; nil where whatever ran it removed it.
        case ended(Job, now: Job?)
        /// All that run.
        case running([Job])
    }

    /// Sees what happens, in the order in which it was noticed.
    package var observer: @Sendable (Event) -> Void = { _ in }

    private static let interval: Duration = .milliseconds(500)

    package init() {}

    package func run(in context: OperationContext) async throws -> JobsSummary {
        guard let queue = try UserJobs(context.folders).existing() else { return JobsSummary(left: []) }
        return try await ServiceRun.run { try await watch(queue, context) }
    }

    private func watch(_ queue: JobQueue, _ context: OperationContext) async throws -> JobsSummary {
        var previous: [JobID: Job] = [:]
        while true {
            let running = try await context.blocking { [previous] _ in try look(queue, previous) }
            guard !running.isEmpty else {
                return JobsSummary(left: try await context.blocking { _ in try queue.jobs(.open) })
            }
            previous = Dictionary(running.map { ($0.id, $0) }) { first, _ in first }
            try? await Task.sleep(for: Self.interval)
            if Task.isCancelled { throw Interruption() }
        }
    }

    private func look(_ queue: JobQueue, _ previous: [JobID: Job]) throws -> [Job] {
        let running = try queue.jobs(JobFilter(states: [.running])).filter { !$0.isLeft }
        let ended = previous.values.filter { job in !running.contains { $0.id == job.id } }
        for job in ended.sorted(by: { $0.id < $1.id }) { observer(.ended(job, now: try queue.job(job.id))) }
        for job in running where previous[job.id]?.progress != job.progress || previous[job.id] == nil {
            observer(.changed(job))
        }
        if !running.isEmpty { observer(.running(running)) }
        return running
    }
}
