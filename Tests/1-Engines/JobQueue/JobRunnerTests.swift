import Synchronization
import Testing
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseJobQueue
import ValiseSecrets

/// The runner with handlers. Threads may be slow, so the machine's clocks stand still but where a test moves them.
struct JobRunnerTests {
    private let fixture: QueueFixture
    private let queue: JobQueue
    private var machine: TestMachine { fixture.machine }

    init() throws {
        var fixture = try QueueFixture()
        // Heartbeats come four times as often, in real time.
        fixture.settings.lease = .milliseconds(400)
        self.fixture = fixture
        queue = try fixture.open()
    }

    private func runner(
        _ concurrency: [JobQueueName: Int] = [:],
        observer: @escaping @Sendable (JobRunner.Event) -> Void = { _ in },
        _ work: @escaping @Sendable (Job, JobContext) async throws -> JobOutcome
    ) -> JobRunner {
        JobRunner(
            queue, handlers: [WorkHandler(work: work)], concurrency: concurrency, pause: .milliseconds(10),
            observer: observer)
    }

    /// Until it is so; the test's own time limit ends what never is.
    private func wait(_ condition: () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Of the only job that runs.
    private func leaseEnd() throws -> Int64? {
        try Connection(fixture.path, mode: .shared, passphrase: fixture.key.bytes.rawKey())
            .value("SELECT until_awake FROM job_leases")?.integer
    }

    @Test func `jobs are run, also those that come later, and the results are kept`() async throws {
        let first = try queue.add("first")
        let second = try queue.add("second", .transfers, needs: [first])
        let titles = Mutex<[String]>([])
        let queue = queue
        try await runner { job, _ in
            titles.withLock { $0.append(job.title) }
            if job.title == "second" { _ = try queue.add("next", .maintenance) }
            return JobOutcome(result: Array(job.title.utf8))
        }.run(until: .idle)
        #expect(titles.withLock { $0 } == ["first", "second", "next"])
        #expect(try queue.now(second).result == Array("second".utf8))
        #expect(try queue.counts().byState == [.finished: 3])
    }

    @Test func `no more jobs of a queue run at once than may`() async throws {
        for name in JobQueueName.allCases { for _ in 0..<6 { _ = try queue.add("x", name) } }
        let limits: [JobQueueName: Int] = [.transfers: 3, .archives: 2, .maintenance: 1]
        let running = Mutex<[JobQueueName: (now: Int, most: Int)]>([:])
        // Where nothing is said, one at a time.
        try await runner(limits.filter { $0.key != .maintenance }) { job, _ in
            running.withLock { all in
                let previous = all[job.queue] ?? (0, 0)
                all[job.queue] = (previous.now + 1, max(previous.most, previous.now + 1))
            }
            // The first ones wait for each other, but not for ever; then there is time for one too many.
            for _ in 0..<6000 where running.withLock({ $0[job.queue]?.most ?? 0 < limits[job.queue] ?? 0 }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await Task.sleep(for: .milliseconds(20))
            running.withLock { $0[job.queue]?.now -= 1 }
            return JobOutcome()
        }.run(until: .idle)
        #expect(running.withLock { $0.mapValues(\.most) } == limits)
    }

    @Test func `errors become what they mean`() async throws {
        struct Sample: Failure {
            let code: FailureCode
            let message = "the sample failed"
            let subject: String? = "a file"
            let cause: (any Error)? = nil
        }
        var expected: [FailureCode: JobState] = [:]
        for code in FailureCode.allCases { expected[code] = .failed }
        for code in [FailureCode.noSpace, .denied, .wrongPassphrase] { expected[code] = .needsUser }
        for code in [FailureCode.failed, .inUse] { expected[code] = .waiting }
        let codes = FailureCode.allCases.filter { $0 != .interrupted }
        var jobs: [FailureCode: Job] = [:]
        for code in codes { jobs[code] = try queue.add(code.rawValue) }
        try await runner([.archives: 20]) { job, _ in
            throw Sample(code: FailureCode(rawValue: job.title) ?? .interrupted)
        }.run(until: .idle)
        for code in codes {
            let job = try queue.now(try #require(jobs[code]))
            #expect(job.state == expected[code], "\(code)")
            #expect(job.reason == "a file: the sample failed")
        }
    }

    @Test func `a runner leaves what waits when it is idle, or runs it in its time until it is stopped`()
        async throws
    {
        let job = try queue.add("job", mostAttempts: 3)
        let other = try queue.add(JobRequest(kind: "other", queue: .archives))
        let machine = machine
        let isMoving = Atomic(false)
        let observer: @Sendable (JobRunner.Event) -> Void = { event in
            if case .ended = event, isMoving.load(ordering: .relaxed) { machine.pass(seconds: 1000) }
        }
        let flaky = runner(observer: observer) { job, _ in
            guard job.attempts == 2 else { throw JobFailure.temporary("not yet") }
            return JobOutcome()
        }
        try await flaky.run(until: .idle)
        #expect(try queue.now(job).state == .waiting && queue.now(job).attempts == 1)
        isMoving.store(true, ordering: .relaxed)
        machine.pass(seconds: 1000)
        let (queue, task) = (queue, Task { try await flaky.run(until: .cancelled) })
        try await wait { try queue.now(job).state == .finished }
        task.cancel()
        try await task.value
        #expect(try queue.now(other).state == .waiting)
    }

    @Test func `what a run would take now is known before, in its order, and nothing is changed by that`()
        async throws
    {
        let other = try fixture.open(2)
        let first = try queue.add("first")
        _ = try queue.add("needing", needs: [first])
        let failures: [JobFailure] = [.temporary("not yet"), .needsUser("the user"), .permanent("never")]
        for failure in failures { try queue.fail(queue.take(queue.add("ended")), failure) }
        _ = try queue.add(JobRequest(kind: "other", title: "other", queue: .archives))
        _ = try queue.add("last")
        _ = try queue.add("transfer", .transfers)
        _ = try other.take(queue.add("left", .maintenance))
        let cancelled = try other.take(queue.add("cancelled", .maintenance))
        try queue.change { try $0.cancel(cancelled.id) }
        let titles = Mutex<[String]>([])
        let worker = runner { job, _ in
            titles.withLock { $0.append(job.title) }
            return JobOutcome()
        }
        // The last queue has as many jobs that run as it may have.
        #expect(try await worker.pending().map(\.title) == ["transfer", "first", "last"])
        machine.kill(2)
        let before = try queue.jobs()
        let pending = try await worker.pending().map(\.title)
        #expect(pending == ["transfer", "first", "last", "left"])
        #expect(try queue.jobs() == before)
        try await worker.run(until: .idle)
        #expect(titles.withLock { $0.sorted() } == (pending + ["needing"]).sorted())
        #expect(try await worker.pending().isEmpty)
    }

    @Test func `a job whose workers died again and again is not taken now`() async throws {
        _ = try queue.add("job")
        let worker = runner { _, _ in JobOutcome() }
        for process in 2...4 as ClosedRange<Int32> {
            #expect(try await worker.pending().map(\.title) == ["job"])
            _ = try #require(try fixture.open(process).take())
            machine.kill(process)
        }
        #expect(try await worker.pending().isEmpty)
    }

    @Test func `a long job keeps its lease, and its progress and checkpoint are seen`() async throws {
        let job = try queue.add("job")
        let (isSeen, seen) = AsyncStream.makeStream(of: Void.self)
        let (queue, other) = (queue, try fixture.open(2))
        async let run: Void = runner { _, context in
            context.report(OperationProgress("half", completed: 5, total: 10))
            try context.checkpoint([4, 2])
            for await _ in isSeen {}
            try context.check()
            return JobOutcome()
        }.run(until: .idle)
        try await wait {
            let now = try other.now(job)
            return now.progress?.completed == 5 && now.checkpoint == [4, 2]
        }
        for _ in 0..<5 {
            machine.pass(399)
            #expect(try other.take() == nil && !other.now(job).isLeft)
            try await wait { try leaseEnd() == machine.time.awake + 400 }
        }
        seen.finish()
        try await run
        #expect(try queue.now(job).state == .finished)
    }

    @Test func `a cancelled job's task is cancelled, and the others go on`() async throws {
        let (first, second) = (try queue.add("first"), try queue.add("second"))
        let queue = queue
        let endings = Mutex<[JobID: JobState]>([:])
        let observer: @Sendable (JobRunner.Event) -> Void = { event in
            if case .ended(let job) = event { endings.withLock { $0[job.id] = job.state } }
        }
        async let run: Void = runner([.archives: 2], observer: observer) { job, context in
            if job.id == first.id { try await Task.sleep(for: .seconds(1000)) }
            #expect(!context.isCancelled)
            return JobOutcome()
        }.run(until: .idle)
        try await wait { try queue.now(first).state == .running }
        #expect(try queue.change { try $0.cancel(first.id) }.isCancelling)
        try await run
        #expect(endings.withLock { $0 } == [first.id: .cancelled, second.id: .finished])
    }

    @Test func `a runner that is stopped gives its jobs back`() async throws {
        let job = try queue.add("job")
        let runner = runner { _, _ in
            try await Task.sleep(for: .seconds(1000))
            return JobOutcome()
        }
        let queue = queue
        let task = Task { try await runner.run(until: .cancelled) }
        try await wait { try queue.now(job).state == .running }
        task.cancel()
        try await task.value
        #expect(try queue.now(job).state == .waiting && queue.now(job).attempts == 0)
    }

    @Test(arguments: [true, false])
    func `an interruption that nobody asked for is no failure, and not run again at once`(task: Bool)
        async throws
    {
        let job = try queue.add("job", mostAttempts: 1)
        let runs = Mutex(0)
        let runner = runner { _, _ in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 2 { return JobOutcome() }
            if task { throw CancellationError() }
            throw Interruption()
        }
        try await runner.run(until: .idle)
        #expect(runs.withLock { $0 } == 1)
        #expect(try queue.now(job).state == .waiting && queue.now(job).attempts == 0)
        // Three quarters of eight seconds.
        #expect(try queue.now(job).nextTry == machine.time.wall / 1000 + 6)
        machine.pass(seconds: 6)
        try await runner.run(until: .idle)
        #expect(try queue.now(job).state == .finished)
    }

    @Test func `who lost the lease is told, and what it left does not count`() async throws {
        let job = try queue.add("job")
        let events = Mutex<[String]>([])
        let observer: @Sendable (JobRunner.Event) -> Void = { event in
            switch event {
            case .started: events.withLock { $0.append("started") }
            case .lost(_, let error):
                events.withLock { $0.append("\((error as? JobQueueError)?.kind == .leaseLost)") }
            case .ended: events.withLock { $0.append("ended") }
            case .progress: break
            }
        }
        let (machine, other) = (machine, try fixture.open(2))
        let runner = runner(observer: observer) { job, context in
            machine.kill(1)
            let lease = try other.take(job)
            while !context.isLost || !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
            #expect(throws: JobQueueError.self) { try context.check() }
            #expect(throws: JobQueueError.self) { try context.checkpoint([1]) }
            try other.finish(lease, "right")
            return JobOutcome(result: Array("wrong".utf8))
        }
        try await runner.run(until: .idle)
        #expect(events.withLock { $0 } == ["started", "true"])
        #expect(try queue.now(job).result == Array("right".utf8))
    }

    @Test func `a foreground operation takes its job as it writes it, and tells how far it is`() async throws
    {
        let lease = try queue.change { transaction in
            let job = try transaction.add(JobRequest(kind: "work", queue: .transfers))
            return try transaction.take(job.id)
        }
        let isStopped = Atomic(false)
        let context = JobContext(lease, in: queue) { isStopped.store(true, ordering: .relaxed) }
        context.report(OperationProgress("", completed: 1, total: 2))
        try await wait { try queue.now(lease.job).progress?.completed == 1 }
        try queue.change { _ = try $0.cancel(lease.id) }
        try await wait { isStopped.load(ordering: .relaxed) }
        #expect(throws: Interruption.self) { try context.check() }
        context.report(OperationProgress("", completed: 2, total: 2))
        context.end()
        #expect(try queue.change { try $0.release(lease) }.state == .cancelled)
        #expect(try queue.now(lease.job).progress?.completed == 2)
    }

    @Test func `a result that cannot be kept fails the job instead of losing it`() async throws {
        let job = try queue.add("job")
        try await runner { _, _ in
            JobOutcome(result: [UInt8](repeating: 0, count: JobRequest.mostBytes + 1))
        }.run(until: .idle)
        #expect(try queue.now(job).state == .failed)
    }

    @Test func `a job of a kind that nobody does is given back`() async throws {
        let job = try queue.add(JobRequest(kind: "other", queue: .archives))
        let lease = try queue.take(job)
        let runner = runner { _, _ in JobOutcome() }
        await #expect(throws: JobQueueError.self) { _ = try await runner.run(lease) }
        #expect(try queue.now(job).state == .waiting)
        let mine = try queue.take(try queue.add("mine"))
        #expect(try await runner.run(mine).state == .finished)
    }
}
