import Synchronization
public import ValiseConcurrency
public import ValiseFailures
public import ValiseJobQueue

/// Resumes all jobs that are due. Nobody is asked: a job that needs its user says so.
public struct RunJobs: Operation {
    /// Whether jobs whose time comes later are waited for, until the task is cancelled.
    public var watches = false
    /// Sees how jobs begin, go on and end.
    package var observer: @Sendable (JobRunner.Event) -> Void = { _ in }

    /// What is due.
    public init() {}

    /// The jobs that would be looked at.
    public func plan(in context: OperationContext) async throws -> [OperationRecord] {
        try await ListOperations([.jobs]).run(in: context)
    }

    public func run(in context: OperationContext) async throws -> JobsSummary {
        let jobs = UserJobs(context.folders)
        guard let queue = watches ? try jobs.open() : try jobs.existing() else {
            return JobsSummary(left: [])
        }
        var quiet = context
        quiet.questions = NoAnswers()
        // What nobody looks at any more.
        try await context.blocking { _ in
            _ = try queue.change { try $0.removeEnded(olderThan: .seconds(7 * 86_400)) }
        }
        let notes = JobObserver(note: { context.note(NoteOfJob(job: $0, note: $1)) })
        let count = JobsCount()
        let runner = JobRunner(queue, handlers: JobKinds.handlers(in: quiet, notes)) { event in
            count.note(event)
            observer(event)
        }
        do {
            if watches {
                try await ServiceRun.run { try await runner.run(until: .cancelled) }
            } else {
                try await runner.run(until: .idle)
            }
        } catch is CancellationError {}
        return count.summary(left: try await context.blocking { _ in try queue.jobs(.open) })
    }
}

/// Resumes one job here and now, and asks what it needs to know.
public struct ResumeJob: Operation {
    package var job: JobID
    /// What the user says now.
    package var user: ResumingUser
    /// Sees how the job begins, goes on and ends.
    package var observer: @Sendable (JobRunner.Event) -> Void = { _ in }

    /// - Parameters:
    ///   - job: which is resumed.
    ///   - user: who can answer what it asks.
    public init(_ job: JobID, for user: ResumingUser = ResumingUser()) {
        self.job = job
        self.user = user
    }

    /// The job as it is.
    public func plan(in context: OperationContext) async throws -> Job {
        try await context.blocking { _ in
            let queue = try UserJobs(context.folders).existing()
            guard let found = try queue?.job(job) else {
                throw OperationError(
                    .notFound, "there is no job of this number", subject: "job \(job)", need: .knownJob)
            }
            return found
        }
    }

    public func run(in context: OperationContext) async throws -> ResumedJob {
        guard JobKinds.isKnown(try await plan(in: context)) else { throw UserNeeded(.newerProgram) }
        let queue = try UserJobs(context.folders).open()
        let lease = try queue.change { transaction in
            try transaction.resume(job)
            return try transaction.take(job)
        }
        return try await withFailure { failed in
            let observer = JobObserver(note: { _, note in context.note(note) }, failed: failed)
            let runner = JobRunner(
                queue, handlers: JobKinds.handlers(in: context, for: user, observer), observer: self.observer)
            return try await runner.run(lease)
        }
    }

    private func withFailure(
        _ body: (_ failed: @escaping @Sendable (any Failure) -> Void) async throws -> Job
    ) async throws -> ResumedJob {
        let failure = LastFailure()
        let job = try await body { failure.note($0) }
        return ResumedJob(job: job, failure: failure.value)
    }
}

/// Lets a job run again, by whoever runs jobs next.
public struct ReleaseJob: Operation {
    package var job: JobID
    /// Whether it failed or was cancelled, and gets all its tries again. Else it waits, or needs its user.
    package var retries: Bool

    /// - Parameters:
    ///   - job: which is released.
    ///   - retries: whether it has all its tries again.
    public init(_ job: JobID, retries: Bool = false) {
        self.job = job
        self.retries = retries
    }

    /// The job as it is.
    public func plan(in context: OperationContext) async throws -> Job {
        try await ResumeJob(job).plan(in: context)
    }

    /// - Returns: the job as it is afterwards.
    public func run(in context: OperationContext) async throws -> Job {
        _ = try await plan(in: context)
        return try await context.blocking { _ in
            try UserJobs(context.folders).open().change { try retries ? $0.retry(job) : $0.resume(job) }
        }
    }
}

/// How a job is that was resumed.
public struct ResumedJob: Sendable {
    /// How it is now.
    public let job: Job
    /// Why it is not done: its code says more than the reason that the job keeps.
    public let failure: (any Failure)?
}

/// What a job tells that runs with others.
public struct NoteOfJob: OperationNote {
    /// Of which job.
    public let job: JobID
    /// What it told.
    public let note: any OperationNote

    public var text: String { "job \(job): \(note.text)" }
}

private final class LastFailure: Sendable {
    private let failure = Mutex<(any Failure)?>(nil)

    var value: (any Failure)? { failure.withLock { $0 } }

    func note(_ found: any Failure) { failure.withLock { $0 = found } }
}

/// Cancels jobs; finished ones are removed.
public struct CancelJobs: Operation {
    package var jobs: [JobID]

    /// - Parameter jobs: which are cancelled; those that ended are removed.
    public init(_ jobs: [JobID]) { self.jobs = jobs }

    /// What each of them leaves behind.
    public func plan(in context: OperationContext) async throws -> [OperationRecord] {
        var records: [OperationRecord] = []
        for job in jobs { records.append(OperationRecord(try await ResumeJob(job).plan(in: context))) }
        return records
    }

    /// One of them.
    public struct Cancelled: Sendable {
        /// As it is afterwards; one that had ended as it was.
        public let job: Job
        /// Whether it had ended, and is no longer in the list.
        public let wasRemoved: Bool
    }

    public func run(in context: OperationContext) async throws -> [Cancelled] {
        // A number that is none changes nothing.
        _ = try await plan(in: context)
        return try await context.blocking { _ in
            let queue = try UserJobs(context.folders).open()
            return try jobs.compactMap { id in
                guard let job = try queue.job(id) else { return nil }
                guard job.state.isEnded else {
                    return Cancelled(job: try queue.change { try $0.cancel(id) }, wasRemoved: false)
                }
                try queue.change { try $0.remove(id) }
                return Cancelled(job: job, wasRemoved: true)
            }
        }
    }
}
