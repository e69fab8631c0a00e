import FaultInjection
import Synchronization
import Testing

@testable import Valise

/// Operations on jobs that nobody can read, so that each run of one ends at once.
struct JobOperationTests {
    private let folder: TemporaryFolder
    private let context: OperationContext
    private let queue: JobQueue

    init() throws {
        folder = try TemporaryFolder("valise-jobs", inMemory: true)
        context = OperationContext(folders: ValiseFolders(state: folder.appending("state")))
        let place = try #require(UserJobs(context.folders).folder)
        // No pause ends while a test is at it.
        queue = try JobQueue(inFolder: place, settings: JobSettings(firstPause: .seconds(1000)))
    }

    private func add(
        _ title: String, _ kind: String = AccountRecoveryJob.kind, _ name: JobQueueName = .maintenance
    ) throws -> Job {
        try queue.add(JobRequest(kind: kind, title: title, queue: name))
    }

    /// - Returns: a job whose only run has failed.
    private func failed(_ failure: JobFailure) throws -> Job {
        let job = try add("failed")
        return try queue.change { transaction in
            let lease = try transaction.take(job.id)
            return try transaction.fail(lease, failure)
        }
    }

    @Test func `what a run would take now is planned, in its order, and that is what is run`() async throws {
        _ = try failed(.temporary("the relay is away"))
        _ = try failed(.needsUser("a passphrase"))
        _ = try failed(.permanent("never"))
        _ = try add("unknown", "later.kind")
        _ = try add("clean-up")
        _ = try add("upload", FileUploadJob.kind, .transfers)
        let plan = try await RunJobs().plan(in: context).records
        #expect(plan.map(\.title) == ["upload", "clean-up"])
        let started = Mutex<Set<String>>([])
        var heard = context
        heard.events = { event in
            if case .note(let note as JobChange) = event, case .started(let job) = note {
                started.withLock { _ = $0.insert(job.title) }
            }
        }
        let summary = try await RunJobs().run(in: heard)
        #expect(started.withLock { $0 } == ["upload", "clean-up"])
        #expect(summary.failed == 2 && !summary.isInterrupted)
        #expect(summary.newer.map(\.title) == ["unknown"])
        #expect(try await RunJobs().plan(in: context).records.isEmpty)
    }

    @Test func `a job is not run before the time of its next try, and its plan says the same`() async throws {
        let job = try failed(.temporary("the relay is away"))
        #expect(try queue.job(job.id)?.nextTry != nil)
        #expect(try await RunJobs().plan(in: context).records.isEmpty)
        #expect(try await RunJobs().run(in: context).left.map(\.state) == [.waiting])
        _ = try await ReleaseJobs([job.id]).run(in: context)
        #expect(try await RunJobs().plan(in: context).records.compactMap(\.job).map(\.id) == [job.id])
    }

    @Test func `jobs are released together, or none of them`() async throws {
        let (job, waiting) = (try failed(.permanent("never")), try add("waiting"))
        await #expect(throws: JobQueueError.self) {
            try await ReleaseJobs([job.id, waiting.id], retries: true).run(in: context)
        }
        #expect(try queue.job(job.id)?.state == .failed)
        let released = try await ReleaseJobs([job.id], retries: true).run(in: context)
        #expect(released.records.compactMap(\.job).map(\.state) == [.waiting])
        await #expect(throws: OperationError.self) {
            try await ReleaseJobs([job.id, JobID(rawValue: 99)], retries: true).plan(in: context)
        }
    }

    @Test func `a job is cancelled, and one that has ended leaves the list`() async throws {
        let job = try add("waiting")
        let cancelled = try await CancelJobs([job.id]).run(in: context)
        #expect(cancelled.jobs.map(\.state) == [.cancelled])
        #expect(cancelled.cancelled.map(\.wasRemoved) == [false])
        let removed = try await CancelJobs([job.id]).run(in: context)
        #expect(removed.cancelled.map(\.wasRemoved) == [true])
        #expect(try queue.job(job.id) == nil)
    }

    @Test func `a job that fails stays in the list, and says why in its own words`() async throws {
        let job = try add("unreadable")
        let resumed = try await ResumeJob(job.id).run(in: context)
        #expect(resumed.job.state == .failed && resumed.failure?.code == .damaged)
        let error = #expect(throws: OperationError.self) { try resumed.requireDone() }
        #expect(error?.code == .damaged && error?.message == resumed.job.reason)
        #expect(try queue.job(job.id)?.state == .failed)
    }

    @Test func `a job that only a newer version knows is shown, and not resumed`() async throws {
        let job = try add("unknown", "later.kind")
        #expect(try await ShowJob(job.id).run(in: context).title == "unknown")
        let operation = ResumeJob(job.id)
        let planned = await #expect(throws: OperationError.self) { try await operation.plan(in: context) }
        let refused = await #expect(throws: OperationError.self) { _ = try await operation.run(in: context) }
        #expect(planned?.code == .unsupported && refused?.code == .unsupported)
        #expect(refused?.remedy == .updateProgram)
        #expect(try queue.job(job.id)?.state == .waiting)
    }
}
