import Testing
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseJobQueue
import ValiseSecrets

/// Waits and needs: three of the five weak points of Session's queue, which ours may not have (Documentation/job-queue.md).
/// The other two are in ``QueueSpinTests`` and ``QueueOwnerTests``.
struct QueueWeakPointTests {
    private let fixture: QueueFixture
    private var machine: TestMachine { fixture.machine }

    init() throws { fixture = try QueueFixture() }

    /// The database, past the queue.
    private func database() throws -> Connection {
        try Connection(fixture.path, mode: .shared, passphrase: fixture.key.bytes.rawKey())
    }

    // MARK: Waits survive restarts

    enum Restart: CaseIterable { case program, machine }
    enum Wait: CaseIterable { case failure, stop }

    /// The program of before ends, and another one is there a second later.
    private func restart(_ restart: Restart, to process: Int32) throws -> JobQueue {
        switch restart {
        case .program:
            machine.kill(process - 1)
            machine.pass(seconds: 1)
        case .machine: machine.reboot(after: 1)
        }
        return try fixture.open(process)
    }

    @Test(arguments: Restart.allCases, Wait.allCases)
    func `a job is not run sooner because its queue is opened anew, and its pauses go on growing`(
        restart: Restart, wait: Wait
    ) throws {
        func end(_ lease: JobLease, in queue: JobQueue) throws -> Job {
            switch wait {
            case .failure: try queue.fail(lease, .temporary("no network"))
            case .stop: try queue.change { try $0.pause(lease) }
            }
        }
        var queue = try fixture.open(1)
        let job = try queue.add("job", mostAttempts: 10)
        for _ in 0..<2 { _ = try end(queue.take(job), in: queue) }
        // Three quarters of 16 seconds.
        for process in 2...12 as ClosedRange<Int32> {
            queue = try self.restart(restart, to: process)
            #expect(try queue.take() == nil, "opened \(process - 1) seconds later")
            #expect(try queue.now(job).nextTry == machine.time.wall / 1000 + 13 - Int64(process))
        }
        queue = try self.restart(restart, to: 13)
        let lease = try #require(try queue.take())
        #expect(lease.job.attempts == (wait == .failure ? 2 : 0))
        #expect(try end(lease, in: queue).nextTry == machine.time.wall / 1000 + 24)
    }

    @Test(arguments: Restart.allCases)
    func `a job that waits for another one or for a user does so after a restart too`(restart: Restart) throws
    {
        var queue = try fixture.open(1)
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        let third = try queue.add("third", needs: [second])
        let asking = try queue.add("asking")
        try queue.fail(queue.take(asking), .needsUser("the disk is full"))
        var process: Int32 = 1
        for (index, job) in [first, second, third].enumerated() {
            process += 1
            queue = try self.restart(restart, to: process)
            #expect(try queue.take()?.id == job.id)
            #expect(try queue.take() == nil)
            // Taken, and its worker is gone: what needs it waits on.
            process += 1
            queue = try self.restart(restart, to: process)
            #expect(try queue.now(second).openNeeds == (index == 0 ? 1 : 0))
            #expect(try queue.now(third).openNeeds == (index < 2 ? 1 : 0))
            try queue.finish(try #require(try queue.take()))
        }
        #expect(try queue.now(asking).state == .needsUser)
    }

    // MARK: Failure goes through

    enum BadEnd: CaseIterable { case permanent, lastAttempt, cancelled, cancelledRunning, cancelledAndLeft }

    private func end(_ job: Job, _ end: BadEnd, in queue: JobQueue) throws {
        switch end {
        case .permanent: try queue.fail(queue.take(job), .permanent("no such file"))
        case .lastAttempt: try queue.fail(queue.take(job), .temporary("no network"))
        case .cancelled: try queue.change { _ = try $0.cancel(job.id) }
        case .cancelledRunning:
            let lease = try queue.take(job)
            try queue.change { _ = try $0.cancel(job.id) }
            try queue.change { _ = try $0.release(lease) }
        case .cancelledAndLeft:
            _ = try queue.take(job)
            try queue.change { _ = try $0.cancel(job.id) }
            machine.kill(1)
        }
    }

    @Test(arguments: BadEnd.allCases)
    func `nothing runs whose need ended badly, however far below it is`(badEnd: BadEnd) throws {
        let queue = try fixture.open(1)
        let top = try queue.add("top")
        let middle = try queue.add("middle", needs: [top], mostAttempts: 1)
        var chain = [middle]
        for level in 1...20 { chain.append(try queue.add("\(level)", needs: [chain[level - 1]])) }
        let both = try queue.add("both", needs: [top, chain[20]])
        try queue.finish(queue.take(top))
        try end(middle, badEnd, in: queue)
        let other = try fixture.open(2)
        #expect(try other.take() == nil)
        for level in 1...20 {
            let job = try other.now(chain[level])
            #expect(job.state == .failed && job.failedBy == chain[level - 1].id && job.reason != nil)
        }
        #expect(try other.now(both).state == .failed && other.now(both).openNeeds == 1)
        #expect(failure { _ = try other.take(both) }?.kind == .wrongState)
        // One that is asked for afterwards.
        #expect(try other.add("late", needs: [both]).failedBy == both.id)
    }

    @Test func `what is below a job that was cancelled in the middle does not run when the top is done`()
        throws
    {
        let queue = try fixture.open(1)
        let top = try queue.add("top")
        let middle = try queue.add("middle", needs: [top])
        let below = try queue.add("below", needs: [middle])
        let last = try queue.add("last", needs: [below])
        try queue.change { _ = try $0.cancel(middle.id) }
        try queue.finish(try #require(try queue.take()))
        #expect(try queue.take() == nil)
        #expect(try queue.now(top).state == .finished && queue.now(last).failedBy == below.id)
        // Another try of the middle brings back all that it failed, in its order.
        try queue.change { _ = try $0.retry(middle.id) }
        for job in [middle, below, last] {
            let lease = try #require(try queue.take())
            #expect(lease.id == job.id)
            #expect(try queue.take() == nil)
            try queue.finish(lease)
        }
    }

    @Test func `a job that another one needs cannot be removed, and what needs a lost one never runs`() throws
    {
        let queue = try fixture.open(1)
        let top = try queue.add("top")
        let middle = try queue.add("middle", needs: [top])
        let below = try queue.add("below", needs: [middle])
        #expect(failure { try queue.change { try $0.remove(middle.id) } }?.kind == .wrongState)
        try queue.change { _ = try $0.cancel(middle.id) }
        #expect(failure { try queue.change { try $0.remove(middle.id) } }?.kind == .wrongState)
        #expect(try queue.change { try $0.removeEnded(olderThan: .zero) } == 0)
        try queue.change { _ = try $0.retry(middle.id) }
        // Somebody with a shell of SQLite: first with the rules of the schema, then without them.
        let deletion = "DELETE FROM jobs WHERE job_id = \(middle.id)"
        #expect(throws: DatabaseError.self) { try database().execute(deletion) }
        try database().execute("PRAGMA foreign_keys = OFF; \(deletion)")
        #expect(try queue.job(middle.id) == nil)
        try queue.finish(try #require(try queue.take()))
        #expect(try queue.take() == nil)
        #expect(try queue.now(below).needs == [middle.id] && queue.now(below).openNeeds == 1)
        #expect(failure { _ = try queue.take(below) }?.kind == .wrongState)
    }

    // MARK: Needs are exact

    @Test func `each job has its own row for each need, also where others need the same or it is said twice`()
        throws
    {
        let queue = try fixture.open(1)
        let needed = try queue.add("needed")
        let one = try queue.add("one", needs: [needed])
        let two = try queue.add("two", needs: [needed, needed])
        let three = try queue.add("three", needs: [needed, one, needed, two])
        let many = try (0..<50).map { try queue.add("\($0)", needs: [needed]) }
        #expect(one.needs == [needed.id] && two.needs == [needed.id])
        #expect(three.needs == [needed.id, one.id, two.id])
        #expect(try database().value("SELECT count(*) FROM job_needs")?.integer == 1 + 1 + 3 + 50)
        #expect(try [one, two, three].map { try queue.now($0).openNeeds } == [1, 1, 3])

        let lease = try #require(try queue.take())
        #expect(try lease.id == needed.id && queue.take() == nil)
        try queue.finish(lease)
        #expect(try [one, two, three].map { try queue.now($0).openNeeds } == [0, 0, 2])
        try queue.finish(queue.take(two))
        #expect(failure { _ = try queue.take(three) }?.kind == .wrongState)
        try queue.finish(queue.take(one))
        var order: [JobID] = []
        while let lease = try queue.take() { order.append(lease.id) }
        #expect(order == [three.id] + many.map(\.id))
    }

    @Test func `a job that is asked for again keeps its needs, and says which they are`() throws {
        let queue = try fixture.open(1)
        let (needed, other) = (try queue.add("needed"), try queue.add("other"))
        let job = try queue.add("job", needs: [needed], key: "key")
        let again = try queue.add("job", needs: [other], key: "key")
        #expect(again.id == job.id && again.needs == [needed.id])
        // The key of another kind is another key.
        let kind = JobRequest(kind: "kind", uniqueKey: "key", queue: .archives, needs: [needed.id])
        #expect(try queue.add(kind).needs == [needed.id])
        #expect(throws: JobQueueError.self) {
            try queue.add(JobRequest(kind: "kind", queue: .archives, needs: [JobID(rawValue: 1000)]))
        }
    }
}
