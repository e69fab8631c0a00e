import ValiseConcurrency
import ValiseFailures
import ValiseJobQueue

/// Watches jobs that other processes run, until none runs. Nothing is changed. What happens is noted as ``JobChange``.
public struct WatchJobs: Operation {
    private static let interval: Duration = .milliseconds(500)

    /// Of the user.
    public init() {}

    public func run(in context: OperationContext) async throws -> JobsSummary {
        guard let queue = try UserJobs(context.folders).existing() else { return JobsSummary(left: []) }
        return try await ServiceRun.run { try await watch(queue, context) }
    }

    private func watch(_ queue: JobQueue, _ context: OperationContext) async throws -> JobsSummary {
        var previous: [JobID: Job] = [:]
        while true {
            let running = try await context.blocking { [previous] _ in try look(queue, previous, context) }
            guard !running.isEmpty else {
                return JobsSummary(left: try await context.blocking { _ in try queue.jobs(.open) })
            }
            previous = Dictionary(running.map { ($0.id, $0) }) { first, _ in first }
            try? await Task.sleep(for: Self.interval)
            if Task.isCancelled { throw Interruption() }
        }
    }

    private func look(
        _ queue: JobQueue, _ previous: [JobID: Job], _ context: OperationContext
    ) throws -> [Job] {
        let running = try queue.jobs(JobFilter(states: [.running])).filter { !$0.isLeft }
        let ended = previous.values.filter { job in !running.contains { $0.id == job.id } }
        for job in ended.sorted(by: { $0.id < $1.id }) {
            context.note(try queue.job(job.id).map(JobChange.ended) ?? .removed(job))
        }
        for job in running {
            guard let before = previous[job.id] else {
                context.note(JobChange.started(job))
                continue
            }
            if let progress = job.progress, progress != before.progress {
                context.note(JobChange.progressed(job, progress))
            }
        }
        if !running.isEmpty { context.note(JobChange.running(running)) }
        return running
    }
}
