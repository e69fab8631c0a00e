import Synchronization
import ValiseConcurrency
public import ValiseFailures
public import ValiseJobQueue

/// Resumes one job now, asking questions where needed. One that is done leaves the list.
public struct ResumeJob: Operation {
    package var job: JobID
    /// What the user says now.
    package var user: ResumingUser
    /// Called with a job that is done, before it leaves the list.
    package var ended: @Sendable (ResumedJob) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - job: the job to resume.
    ///   - user: the passphrase and approvals to use.
    public init(_ job: JobID, for user: ResumingUser = ResumingUser()) {
        self.job = job
        self.user = user
    }

    /// The job as it is, and what it works on.
    public func plan(in context: OperationContext) async throws -> OperationRecord {
        let record = try await ShowJob(job).run(in: context)
        guard record.job.map(JobKinds.isKnown) == true else {
            throw OperationError(
                .unsupported, "this job was written by a newer version", subject: "job \(job)",
                remedy: .updateProgram)
        }
        return record
    }

    public func run(in context: OperationContext) async throws -> ResumedJob {
        _ = try await plan(in: context)
        let queue = try UserJobs(context.folders).open()
        let lease = try queue.change { transaction in
            try transaction.resume(job)
            return try transaction.take(job)
        }
        let failure = LastFailure()
        let observer = JobObserver(note: { _, note in context.note(note) }, failed: { failure.note($0) })
        let runner = JobRunner(queue, handlers: JobKinds.handlers(in: context, for: user, observer)) {
            event in
            if case .progress(_, let progress) = event { context.events(.progress(progress)) }
        }
        let resumed = ResumedJob(try await runner.run(lease), failure.value)
        guard resumed.failure == nil else { return resumed }
        try await ended(resumed)
        // Where it cannot be removed, it is still listed as done.
        try? await BlockingExecutor.shared.run { try queue.change { try $0.remove(job) } }
        return resumed
    }
}

/// A resumed job.
public struct ResumedJob: Sendable {
    /// Its current state.
    public let job: Job
    /// Why it is not done; nil for one that is. Its code says more than the reason stored with the job.
    public let failure: (any Failure)?

    /// - Parameter failure: what its run threw, as far as that was a failure.
    init(_ job: Job, _ failure: (any Failure)?) {
        self.job = job
        self.failure = job.state == .finished ? nil : failure ?? Self.failure(of: job)
    }

    /// Of a run that threw none.
    private static func failure(of job: Job) -> any Failure {
        let isOpen = job.state == .waiting || job.state == .running
        if job.state == .cancelled || isOpen && job.nextTry == nil { return Interruption() }
        return OperationError(.failed, job.reason ?? JobText.state(job), subject: "job \(job.id)")
    }

    /// - Throws: why it is not done, in the words that are stored with the job.
    package func requireDone() throws {
        guard let failure else { return }
        let subject = "job \(job.id)"
        switch job.state {
        case .finished: return
        case .cancelled: throw OperationError(.interrupted, "the job was cancelled", subject: subject)
        case .failed, .needsUser:
            throw OperationError(failure.code, job.reason ?? JobText.state(job), subject: subject)
        case .waiting, .running:
            guard let reason = job.reason, job.nextTry != nil else { throw Interruption() }
            let next = "Next try \(JobText.nextTry(job))."
            throw OperationError(failure.code, [reason, next].asSentences, subject: subject)
        }
    }
}

private final class LastFailure: Sendable {
    private let failure = Mutex<(any Failure)?>(nil)

    var value: (any Failure)? { failure.withLock { $0 } }

    func note(_ found: any Failure) { failure.withLock { $0 = found } }
}
