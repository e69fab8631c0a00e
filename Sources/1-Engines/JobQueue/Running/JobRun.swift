import ValiseFailures

/// One run of one job: its handler, its heartbeats, and what becomes of it.
struct JobRun: Sendable {
    private let lease: JobLease
    private let runner: JobRunner
    private var queue: JobQueue { runner.queue }

    init(_ lease: JobLease, of runner: JobRunner) {
        self.lease = lease
        self.runner = runner
    }

    func run() async -> Result<Job, any Error> {
        guard let handler = runner.handlers[lease.job.kind] else {
            _ = try? await queue.away { [lease] queue in try queue.change { try $0.release(lease) } }
            return .failure(JobQueueError.invalid("no handler for jobs of kind \(lease.job.kind)"))
        }
        runner.observer(.started(lease.job))
        let (stops, stop) = AsyncStream.makeStream(of: Never.self)
        let context = JobContext(lease, in: queue) {
            stop.finish()
        } onProgress: { [lease, runner] in
            runner.observer(.progress(lease.job, $0))
        }
        let outcome = await outcome(of: handler, context, stoppedBy: stops)
        // Who asks a user hears of Control-C a moment before this task is cancelled by it.
        if case .failure(let error) = outcome, Self.isInterruption(error), !context.isCancelled {
            try? await Task.sleep(for: .milliseconds(300))
        }
        let isStopped = Task.isCancelled
        do {
            let job = try await queue.away { _ in
                context.end()
                return try write(outcome, isStopped: isStopped)
            }
            runner.observer(.ended(job))
            return .success(job)
        } catch {
            runner.observer(.lost(lease.job, error))
            return .failure(error)
        }
    }

    /// Lets the handler run to its end; when the stream ends before, its task is cancelled.
    private func outcome(
        of handler: any JobHandler, _ context: JobContext, stoppedBy stops: AsyncStream<Never>
    ) async -> Result<JobOutcome, any Error> {
        await withTaskGroup(of: Result<JobOutcome, any Error>?.self) { [lease] group in
            group.addTask {
                do {
                    return .success(try await handler.run(lease.job, context))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await _ in stops {}
                return nil
            }
            var outcome: Result<JobOutcome, any Error>?
            for await ended in group {
                outcome = ended ?? outcome
                group.cancelAll()
            }
            return outcome ?? .failure(CancellationError())
        }
    }

    private func write(_ outcome: Result<JobOutcome, any Error>, isStopped: Bool) throws -> Job {
        switch outcome {
        case .success(let outcome):
            do {
                return try queue.change { try $0.finish(lease, result: outcome.result) }
            } catch let error as JobQueueError where error.code == .invalid {
                // What the handler left cannot be written, now or later. A full disk is no fault of the handler's.
                return try queue.change { try $0.fail(lease, JobFailure(error)) }
            }
        case .failure(let error):
            return try queue.change { transaction in
                if isStopped { return try transaction.release(lease) }
                guard Self.isInterruption(error) else {
                    return try transaction.fail(lease, JobFailure(error))
                }
                // One that is cancelled is cancelled by that. Where nobody asked for it, it would run again and again.
                return try transaction.pause(lease)
            }
        }
    }

    private static func isInterruption(_ error: any Error) -> Bool {
        error is CancellationError || (error as? any Failure)?.code == .interrupted
    }
}
