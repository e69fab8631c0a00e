import Testing
import ValiseJobQueue

/// What becomes of jobs, one operation after the other.
struct JobStateTests {
    private let fixture: QueueFixture
    private let queue: JobQueue
    private var machine: TestMachine { fixture.machine }

    init() throws {
        fixture = try QueueFixture()
        queue = try fixture.open()
    }

    // MARK: Adding

    @Test func `a job is what was asked for, and survives a new opening`() throws {
        let request = JobRequest(
            kind: "work", title: "Ä \u{0} b", payload: Array("{}".utf8), uniqueKey: "k", queue: .transfers,
            mostAttempts: 7)
        let job = try queue.add(request)
        #expect(job.kind == "work" && job.title == "Ä \u{0} b" && job.payload == Array("{}".utf8))
        #expect(job.uniqueKey == "k" && job.queue == .transfers && job.mostAttempts == 7)
        #expect(job.state == .waiting && job.attempts == 0 && job.reason == nil && job.nextTry == nil)
        #expect(job.created == 1_700_000_000)
        #expect(try fixture.open(2).now(job) == job)
    }

    @Test func `several are added as one, or none`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try queue.change { transaction in
                let first = try transaction.add(JobRequest(kind: "a", queue: .archives))
                try transaction.add(JobRequest(kind: "b", queue: .archives, needs: [first.id]))
                throw Stop()
            }
        }
        #expect(try queue.jobs().isEmpty)
    }

    @Test func `what throws leaves the rest of its transaction`() throws {
        try queue.change { transaction in
            try transaction.add(JobRequest(kind: "a", queue: .archives))
            #expect(throws: JobQueueError.self) {
                try transaction.add(JobRequest(kind: "b", queue: .archives, needs: [JobID(rawValue: 77)]))
            }
        }
        #expect(try queue.jobs().map(\.kind) == ["a"])
    }

    @Test func `the same key gives the job that is there until it has ended`() throws {
        let first = try queue.add("one", key: "k")
        #expect(try queue.add("two", key: "k").id == first.id)
        let lease = try #require(try queue.take())
        #expect(try queue.add("three", key: "k").id == first.id)
        try queue.fail(lease, .needsUser("a reason"))
        #expect(try queue.add("four", key: "k").id == first.id)
        #expect(try queue.add(JobRequest(kind: "other", uniqueKey: "k", queue: .archives)).id != first.id)
        try queue.change { _ = try $0.cancel(first.id) }
        let next = try queue.add("five", key: "k")
        #expect(next.id != first.id)
        #expect(failure { try queue.change { _ = try $0.retry(first.id) } }?.kind == .sameKey)
        #expect(try queue.now(first).state == .cancelled)
    }

    @Test func `requests that make no sense are refused`() throws {
        let large = [UInt8](repeating: 0, count: JobRequest.mostBytes + 1)
        for request in [
            JobRequest(kind: "", queue: .archives), JobRequest(kind: "a", queue: .archives, mostAttempts: 0),
            JobRequest(kind: "a", payload: large, queue: .archives),
        ] {
            #expect(failure { try queue.add(request) }?.kind == .other)
        }
        #expect(
            failure { try queue.add(JobRequest(kind: "a", queue: .archives, needs: [JobID(rawValue: 1)])) }?
                .kind
                == .noSuchJob)
        #expect(try queue.counts().byState.isEmpty)
    }

    // MARK: Order

    @Test func `the oldest runs first`() throws {
        let jobs = try (0..<5).map { try queue.add("\($0)") }
        var order: [JobID] = []
        while let lease = try queue.take() { order.append(lease.id) }
        #expect(order == jobs.map(\.id))
    }

    @Test func `queues run side by side, each as many jobs as it may`() throws {
        for name in JobQueueName.allCases { for _ in 0..<4 { _ = try queue.add("x", name) } }
        let other = try fixture.open(2)
        let first = try #require(try queue.take(.archives, limit: 2))
        #expect(try other.take(.archives, limit: 2) != nil)
        // The other process's job counts.
        #expect(try queue.take(.archives, limit: 2) == nil)
        #expect(try queue.take(.transfers, limit: 1) != nil)
        #expect(try other.take(.transfers, limit: 1) == nil)
        #expect(try other.take(.maintenance, limit: 1) != nil)
        try queue.finish(first)
        #expect(try queue.take(.archives, limit: 2) != nil)
        #expect(try queue.take(.archives, limit: 0) == nil)
    }

    @Test func `only jobs of the asked kinds are taken`() throws {
        _ = try queue.add(JobRequest(kind: "a", queue: .archives))
        let second = try queue.add(JobRequest(kind: "b", queue: .archives))
        #expect(try queue.change { try $0.take(queue: .archives, kinds: ["b", "c"]) }?.id == second.id)
        #expect(try queue.change { try $0.take(queue: .archives, kinds: ["b", "c"]) } == nil)
        #expect(try queue.change { try $0.take(queue: .archives, kinds: []) } == nil)
    }

    // MARK: Persons

    @Test func `a waiting job is cancelled at once, a running one by its heartbeat`() throws {
        let (first, second) = (try queue.add("first"), try queue.add("second"))
        let lease = try queue.take(first)
        #expect(try queue.change { try $0.cancel(first.id) }.isCancelling)
        #expect(try queue.change { try $0.cancel(second.id) }.state == .cancelled)
        #expect(try queue.change { try $0.heartbeat(lease) } == .cancel)
        // Whatever the worker makes of it, except that it was done already.
        #expect(try queue.fail(lease, .permanent("stopped")).state == .cancelled)
        #expect(try queue.change { try $0.cancel(first.id) }.state == .cancelled)
        let third = try queue.add("third")
        let finished = try queue.take(third)
        try queue.change { _ = try $0.cancel(third.id) }
        #expect(try queue.finish(finished).state == .finished)
    }

    @Test func `resuming lets a job run now`() throws {
        let job = try queue.add("job", mostAttempts: 2)
        try queue.fail(try queue.take(job), .temporary("x"))
        #expect(try queue.take() == nil)
        #expect(try queue.change { try $0.resume(job.id) }.nextTry == nil)
        let lease = try #require(try queue.take())
        #expect(failure { try queue.change { _ = try $0.resume(job.id) } }?.kind == .wrongState)
        try queue.finish(lease)
        #expect(failure { try queue.change { _ = try $0.resume(job.id) } }?.kind == .wrongState)
        #expect(failure { try queue.change { _ = try $0.retry(job.id) } }?.kind == .wrongState)
        #expect(failure { _ = try queue.take(job) }?.kind == .wrongState)
    }

    @Test func `ended jobs are removed, except what is needed, and dead letters`() throws {
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        let dead = try queue.add("dead")
        try queue.finish(try queue.take(first))
        try queue.fail(try queue.take(dead), .permanent("no"))
        machine.pass(seconds: 100)
        let clean: (Duration) throws -> Int = { age in try queue.change { try $0.removeEnded(olderThan: age) }
        }
        #expect(try clean(.seconds(50)) == 0)
        #expect(failure { try queue.change { try $0.remove(first.id) } }?.kind == .wrongState)
        #expect(failure { try queue.change { try $0.remove(second.id) } }?.kind == .wrongState)
        try queue.finish(try queue.take(second))
        #expect(try clean(.seconds(50)) == 0)
        #expect(try clean(.zero) == 2)
        #expect(try queue.jobs().map(\.id) == [dead.id])
        try queue.change { try $0.remove(dead.id) }
        #expect(failure { try queue.change { try $0.remove(first.id) } }?.kind == .noSuchJob)
        // Numbers are not given twice.
        #expect(try queue.add("next").id > dead.id)
    }

    @Test func `jobs are listed by what is asked for, and counted`() throws {
        let first = try queue.add("first", .transfers, key: "k")
        let second = try queue.add("second")
        try queue.finish(try queue.take(second))
        #expect(try queue.jobs(.open).map(\.id) == [first.id])
        #expect(try queue.jobs(JobFilter(uniqueKey: "k")).map(\.id) == [first.id])
        #expect(try queue.jobs(JobFilter(kinds: ["none"])).isEmpty)
        #expect(try queue.counts().byState == [.waiting: 1, .finished: 1])
    }
}
