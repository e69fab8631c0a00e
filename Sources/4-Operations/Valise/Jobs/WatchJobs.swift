import ValiseConcurrency
public import ValiseJobQueue

/// Watches jobs that other processes run, until none runs. It changes nothing.
public struct WatchJobs: Operation {
    /// What became of jobs since the last look.
    public enum Event: Sendable {
        /// One is new, or got further.
        case progress(Job)
        /// One does not run any more: as it is now, nil where its command removed it, and as it was before.
        case ended(Job?, previous: Job)
        /// All that run, after each look.
        case running([Job])
    }

    /// How often it looks.
    private static let interval = Duration.milliseconds(500)

    /// Sees how they begin, go on and end.
    public var observer: @Sendable (Event) throws -> Void = { _ in }

    public init() {}

    /// - Returns: the jobs that are left.
    public func run(in context: OperationContext) async throws -> [Job] {
        guard let queue = try UserJobs(context.folders).existing() else { return [] }
        return try await ServiceRun.run {
            var previous: [Job] = []
            while true {
                let known = previous
                previous = try await context.blocking { _ in try look(at: queue, known) }
                if previous.isEmpty { return try await context.blocking { _ in try queue.jobs(.open) } }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// - Returns: the jobs that run.
    private func look(at queue: JobQueue, _ previous: [Job]) throws -> [Job] {
        let running = try queue.jobs(JobFilter(states: [.running])).filter { !$0.isLeft }
        let ended = previous.filter { job in !running.contains { $0.id == job.id } }
        for job in ended.sorted(by: { $0.id < $1.id }) {
            try observer(.ended(try queue.job(job.id), previous: job))
        }
        for job in running {
            let before = previous.first { $0.id == job.id }
            if before == nil || before?.progress != job.progress { try observer(.progress(job)) }
        }
        if !running.isEmpty { try observer(.running(running)) }
        return running
    }
}
