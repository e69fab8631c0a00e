import Synchronization
public import ValiseConcurrency
public import ValiseFailures
public import ValiseJobQueue

/// Runs all pending jobs without asking questions. A job that needs the user is marked as such.
public struct RunJobs: Operation {
    /// Whether to wait for jobs scheduled for later, until the task is cancelled.
    public var watches = false
    /// Runs what is pending.
    public init() {}

    /// The jobs that would be run.
    public func plan(in context: OperationContext) async throws -> OperationList {
        try await ListOperations([.jobs]).run(in: context)
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
        return count.summary(left: try await context.blocking { _ in try queue.jobs(.open) })
    }
}

/// Resumes one job now, asking questions where needed.
public struct ResumeJob: Operation {
    package var job: JobID
    /// What the user says now.
    package var user: ResumingUser
    /// - Parameters:
    ///   - job: the job to resume.
    ///   - user: the passphrase and approvals to use.
    public init(_ job: JobID, for user: ResumingUser = ResumingUser()) {
        self.job = job
        self.user = user
    }

    /// The job as it is, and what it works on.
    public func plan(in context: OperationContext) async throws -> OperationRecord {
        OperationRecord(try await found(in: context))
    }

    private func found(in context: OperationContext) async throws -> Job {
        try await context.blocking { _ in
            let queue = try UserJobs(context.folders).existing()
            guard let found = try queue?.job(job) else {
                throw OperationError(
                    .notFound, "no such job", subject: "job \(job)", need: .knownJob)
            }
            return found
        }
    }

    public func run(in context: OperationContext) async throws -> ResumedJob {
        guard JobKinds.isKnown(try await found(in: context)) else { throw UserNeeded(.newerProgram) }
        let queue = try UserJobs(context.folders).open()
        let lease = try queue.change { transaction in
            try transaction.resume(job)
            return try transaction.take(job)
        }
        return try await withFailure { failed in
            let observer = JobObserver(note: { _, note in context.note(note) }, failed: failed)
            let runner = JobRunner(queue, handlers: JobKinds.handlers(in: context, for: user, observer)) {
                event in
                if case .progress(_, let progress) = event { context.events(.progress(progress)) }
            }
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

/// Releases a job for the next run of jobs.
public struct ReleaseJob: Operation {
    package var job: JobID
    /// Whether it failed or was cancelled, and gets all its tries again. Else it waits, or needs its user.
    package var retries: Bool

    /// - Parameters:
    ///   - job: the job to release.
    ///   - retries: whether its retries start over.
    public init(_ job: JobID, retries: Bool = false) {
        self.job = job
        self.retries = retries
    }

    /// The job as it is, and what it works on.
    public func plan(in context: OperationContext) async throws -> OperationRecord {
        try await ResumeJob(job).plan(in: context)
    }

    /// - Returns: the job afterwards.
    public func run(in context: OperationContext) async throws -> Job {
        _ = try await plan(in: context)
        return try await context.blocking { _ in
            try UserJobs(context.folders).open().change { try retries ? $0.retry(job) : $0.resume(job) }
        }
    }
}

/// A resumed job.
public struct ResumedJob: Sendable {
    /// Its current state.
    public let job: Job
    /// Why it is not done. Its code says more than the reason stored with the job.
    public let failure: (any Failure)?
}

/// A note of one of several jobs.
public struct NoteOfJob: OperationNote {
    /// The job.
    public let job: JobID
    /// Its note.
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

    /// - Parameter jobs: the jobs to cancel; finished ones are removed.
    public init(_ jobs: [JobID]) { self.jobs = jobs }

    /// What each of them leaves behind.
    public func plan(in context: OperationContext) async throws -> OperationList {
        var records: [OperationRecord] = []
        for job in jobs { records.append(try await ResumeJob(job).plan(in: context)) }
        return OperationList(records: records)
    }

    /// One of them.
    public struct Cancelled: Sendable {
        /// The job afterwards; a finished one unchanged.
        public let job: Job
        /// Whether it was finished and has been removed from the list.
        public let wasRemoved: Bool
    }

    /// What became of the jobs.
    public struct Report: Sendable {
        /// In the order given.
        public let jobs: [Cancelled]
    }

    public func run(in context: OperationContext) async throws -> Report {
        // A number that is none changes nothing.
        _ = try await plan(in: context)
        return try await context.blocking { _ in
            let queue = try UserJobs(context.folders).open()
            let cancelled: [Cancelled] = try jobs.compactMap { id in
                guard let job = try queue.job(id) else { return nil }
                guard job.state.isEnded else {
                    return Cancelled(job: try queue.change { try $0.cancel(id) }, wasRemoved: false)
                }
                try queue.change { try $0.remove(id) }
                return Cancelled(job: job, wasRemoved: true)
            }
            return Report(jobs: cancelled)
        }
    }
}
