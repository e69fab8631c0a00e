package import ValiseConcurrency

/// Runs the jobs of a queue, each queue name side by side with the others.
package struct JobRunner: Sendable {
    /// When a runner has done its work.
    package enum End: Sendable {
        /// When nothing can run now; what waits for a later time or a user stays.
        case idle
        /// Only when its task is cancelled.
        case cancelled
    }

    /// What a runner tells.
    package enum Event: Sendable {
        case started(Job)
        case progress(Job, OperationProgress)
        /// The run ended, with the job as it is now: finished, waiting for another try, failed, cancelled …
        case ended(Job)
        /// The job was taken over by another worker, ``JobQueueError/Kind/leaseLost``, or its end could not be written: then
        /// it is run again when the lease has ended.
        case lost(Job, any Error)
    }

    let queue: JobQueue
    let handlers: [String: any JobHandler]
    let concurrency: [JobQueueName: Int]
    let pause: Duration
    let observer: @Sendable (Event) -> Void

    /// - Parameters:
    ///   - queue: whose jobs are run.
    ///   - handlers: one for each kind; jobs of other kinds are left alone.
    ///   - concurrency: how many jobs of a queue run at once, those of other processes counted; 1 where none is said.
    ///   - pause: how often it looks for jobs that others wrote or left.
    ///   - observer: called from any thread.
    package init(
        _ queue: JobQueue, handlers: [any JobHandler], concurrency: [JobQueueName: Int] = [.transfers: 2],
        pause: Duration = .seconds(1), observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.queue = queue
        self.handlers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
        self.concurrency = concurrency
        self.pause = pause
        self.observer = observer
    }

    /// Runs jobs until `end`. When its task is cancelled, the handlers' tasks are, and their jobs are given back.
    /// - Throws: ``JobQueueError`` when the queue cannot be used any more.
    package func run(until end: End) async throws {
        try await withThrowingTaskGroup(of: Awaited.self) { group in
            var (running, isPausing) = (0, false)
            while !Task.isCancelled {
                for lease in try await takeAll() {
                    running += 1
                    group.addTask {
                        _ = await JobRun(lease, of: self).run()
                        return .run
                    }
                }
                if running == 0, end == .idle { break }
                if !isPausing {
                    isPausing = true
                    group.addTask { [pause] in
                        try? await Task.sleep(for: pause)
                        return .pause
                    }
                }
                switch try await group.next() {
                case .run: running -= 1
                case .pause, nil: isPausing = false
                }
            }
            group.cancelAll()
        }
    }

    private enum Awaited { case run, pause }

    /// What a run that begins now would take, in its order; nothing is changed. Queues run side by side.
    /// - Throws: ``JobQueueError``.
    package func pending() async throws -> [Job] {
        try await queue.away { queue in
            try queue.look { database in
                try database.takeable(kinds: Set(handlers.keys)) { concurrency[$0] ?? 1 }
            }
        }
    }

    private func takeAll() async throws -> [JobLease] {
        try await queue.away { queue in
            try queue.change { transaction in
                var leases: [JobLease] = []
                for name in JobQueueName.allCases {
                    while let lease = try transaction.take(
                        queue: name, kinds: Set(handlers.keys), limit: concurrency[name] ?? 1)
                    {
                        leases.append(lease)
                    }
                }
                return leases
            }
        }
    }

    /// Runs one job that was taken before.
    /// - Returns: the job as its run left it.
    /// - Throws: ``JobQueueError``: `leaseLost`; `other` where no handler is of its kind, the job is given back then.
    package func run(_ lease: JobLease) async throws -> Job {
        try await JobRun(lease, of: self).run().get()
    }
}
