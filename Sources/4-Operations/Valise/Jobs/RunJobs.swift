package import ValiseConcurrency
package import ValiseJobQueue

/// Runs all pending jobs without asking questions. A job that needs the user is marked as such.
public struct RunJobs: Operation {
    /// Whether to wait for jobs scheduled for later, until the task is cancelled.
    public var watches = false
    /// Runs what is pending.
    public init() {}

    /// The jobs that a run would take now, in its order; transfers, archives and clean-ups run side by side. Those that wait for
    /// a later time, another job or the user are not among them, nor are those that only a newer version knows.
    public func plan(in context: OperationContext) async throws -> OperationList {
        guard let queue = try UserJobs(context.folders).existing() else { return OperationList(records: []) }
        let handlers = JobKinds.handlers(in: context, JobObserver(note: { _, _ in }))
        let jobs = try await JobRunner(queue, handlers: handlers).pending()
        return try await context.blocking { _ in OperationList(records: jobs.map { OperationRecord($0) }) }
    }

    public func run(in context: OperationContext) async throws -> JobsSummary {
        let jobs = UserJobs(context.folders)
        guard let queue = watches ? try jobs.open() : try jobs.existing() else {
            return JobsSummary(left: [])
        }
        var quiet = context
        quiet.questions = NoAnswers()
        // Failed entries come with the job's notes; its progress with its changes.
        quiet.events = { [events = context.events] in if case .entryFailed = $0 { events($0) } }
        // What nobody looks at any more.
        try await context.blocking { _ in
            _ = try queue.change { try $0.removeEnded(olderThan: .seconds(7 * 86_400)) }
        }
        let notes = JobObserver(note: { context.note(NoteOfJob(job: $0, note: $1)) })
        let count = JobsCount()
        let runner = JobRunner(queue, handlers: JobKinds.handlers(in: quiet, notes)) { event in
            count.note(event)
            context.note(JobChange(event))
        }
        do {
            if watches {
                try await ServiceRun.run { try await runner.run(until: .cancelled) }
            } else {
                try await runner.run(until: .idle)
            }
        } catch is CancellationError {}
        let isInterrupted = !watches && context.isStopped
        let left = try await context.blocking { _ in try queue.jobs(.open) }
        return count.summary(left: left, isInterrupted: isInterrupted)
    }
}

/// A note of one of several jobs.
package struct NoteOfJob: OperationNote {
    /// The job.
    package let job: JobID
    /// Its note.
    package let note: any OperationNote

    package var text: String { "job \(job): \(note.text)" }
}
