import Testing
import ValiseConcurrency
import ValiseJobQueue

/// Needs, failures, pauses, and further tries.
struct JobFailingTests {
    private let fixture: QueueFixture
    private let queue: JobQueue
    private var machine: TestMachine { fixture.machine }

    init() throws {
        fixture = try QueueFixture()
        queue = try fixture.open()
    }

    // MARK: Needs

    @Test func `what is needed is finished first, also over several steps`() throws {
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        let third = try queue.add("third", needs: [second, first])
        #expect(third.needs == [first.id, second.id] && third.openNeeds == 2)
        for job in [first, second, third] {
            let lease = try #require(try queue.take())
            #expect(lease.id == job.id)
            #expect(try queue.take() == nil)
            try queue.finish(lease)
        }
    }

    @Test func `a failure fails what needs it, and what needs that`() throws {
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        let third = try queue.add("third", needs: [second])
        let other = try queue.add("other")
        try queue.fail(try queue.take(first), .permanent("the file is not there"))
        #expect(try queue.now(first).reason == "the file is not there")
        #expect(try queue.now(second).state == .failed && queue.now(third).state == .failed)
        #expect(try queue.now(second).reason == "it depends on job \(first.id), which failed")
        #expect(try queue.now(third).reason == "it depends on job \(second.id), which failed")
        #expect(try queue.now(third).failedBy == second.id)
        #expect(try queue.now(other).state == .waiting)
        // One that comes too late.
        let late = try queue.add("late", needs: [third])
        #expect(late.state == .failed && late.failedBy == third.id)
    }

    @Test func `a cancelled job fails what needs it`() throws {
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        try queue.change { _ = try $0.cancel(first.id) }
        #expect(try queue.now(second).reason == "it depends on job \(first.id), which was cancelled")
    }

    @Test func `what needs a job that waits for a user waits too`() throws {
        let first = try queue.add("first")
        let second = try queue.add("second", needs: [first])
        try queue.fail(try queue.take(first), .needsUser("the disk is full"))
        #expect(try queue.now(second).state == .waiting)
        #expect(try queue.take() == nil)
        try queue.change { _ = try $0.resume(first.id) }
        try queue.finish(try queue.take(first))
        #expect(try queue.take()?.id == second.id)
    }

    @Test func `another try of a dead letter takes with it what failed because of it`() throws {
        let first = try queue.add("first")
        let other = try queue.add("other")
        let second = try queue.add("second", needs: [first, other])
        let third = try queue.add("third", needs: [second])
        try queue.fail(try queue.take(first), .permanent("no"))
        try queue.fail(try queue.take(other), .permanent("no"))
        #expect(failure { try queue.change { _ = try $0.retry(third.id) } }?.kind == .wrongState)
        try queue.change { _ = try $0.retry(first.id) }
        // It still has another need that failed.
        #expect(try queue.now(first).state == .waiting && queue.now(first).reason == nil)
        #expect(try queue.now(second).state == .failed && queue.now(second).failedBy == other.id)
        try queue.change { _ = try $0.retry(other.id) }
        #expect(try queue.now(second).state == .waiting && queue.now(third).state == .waiting)
        for job in [first, other, second, third] {
            let lease = try #require(try queue.take())
            #expect(lease.id == job.id)
            try queue.finish(lease)
        }
    }

    // MARK: Failing

    @Test func `a temporary failure is tried again after longer and longer pauses, then it is a dead letter`()
        throws
    {
        let job = try queue.add("job", mostAttempts: 4)
        // Three quarters of 8, 16 and 32 seconds.
        for (attempt, pause) in [(1, 6), (2, 12), (3, 24)] as [(Int, Int64)] {
            let failed = try queue.fail(try #require(try queue.take()), .temporary("no network"))
            #expect(failed.state == .waiting && failed.attempts == attempt && failed.reason == "no network")
            #expect(failed.nextTry == machine.time.wall / 1000 + pause)
            machine.pass(pause * 1000 - 1)
            #expect(try queue.take() == nil)
            machine.pass(1)
        }
        let dead = try queue.fail(try #require(try queue.take()), .temporary("no network"))
        #expect(dead.state == .failed && dead.reason == "no network (4 attempts)")
        machine.pass(seconds: 1_000_000)
        #expect(try queue.take() == nil)
        let retried = try queue.change { try $0.retry(job.id) }
        #expect(retried.state == .waiting && retried.attempts == 0)
        try queue.finish(try #require(try queue.take()), "done")
        #expect(try queue.now(job).result == Array("done".utf8))
    }

    @Test func `a job that gets further has all its tries again`() throws {
        let job = try queue.add("job", mostAttempts: 3)
        func attempts(_ done: Int64?, _ checkpoint: [UInt8]? = nil) throws -> Int {
            let lease = try queue.take(job)
            return try queue.change { transaction in
                if let done {
                    _ = try transaction.heartbeat(lease, progress: OperationProgress("", completed: done))
                }
                if let checkpoint { try transaction.checkpoint(lease, checkpoint) }
                return try transaction.fail(lease, .temporary("no network")).attempts
            }
        }
        for done in 1...20 as ClosedRange<Int64> { #expect(try attempts(done) == 1) }
        #expect(try attempts(20) == 2)
        // Once more from the beginning, and then to where it had been.
        for value in 0..<10 as Range<UInt8> { #expect(try attempts(0, [value]) == 1) }
        #expect(try attempts(20, [9]) == 1)
        #expect(try attempts(5, [9]) == 2)
        #expect(try queue.now(job).progress?.completed == 20)
        #expect(try attempts(20, [9]) == 3)
        #expect(try queue.now(job).state == .failed)
    }

    @Test func `numbers of another phase do not say that a job got further, nor that it did not`() throws {
        let job = try queue.add("job", mostAttempts: 100)
        func attempts(_ progress: OperationProgress...) throws -> Int {
            let lease = try queue.take(job)
            return try queue.change { transaction in
                for progress in progress { _ = try transaction.heartbeat(lease, progress: progress) }
                return try transaction.fail(lease, .temporary("no network")).attempts
            }
        }
        let read = OperationProgress("reading", completed: 2_000)
        #expect(try attempts(read) == 1)
        #expect(try attempts(read, OperationProgress("sending", completed: 100)) == 2)
        #expect(try attempts(read, OperationProgress("sending", completed: 200)) == 1)
        #expect(try attempts(read, OperationProgress("sending", completed: 150)) == 2)
        #expect(try attempts(read, OperationProgress("sending", completed: 201)) == 1)
    }

    @Test func `a pause has its longest, and a random part`() throws {
        var fixture = try QueueFixture()
        fixture.settings.jitter = { 0 }
        let queue = try fixture.open()
        let job = try queue.add("job", mostAttempts: 100)
        var pauses: [Int64] = []
        for number in 0..<20 {
            if number == 10 { fixture.settings.jitter = { 1 } }
            let queue = try fixture.open()
            let failed = try queue.fail(try queue.take(job), .temporary("x"))
            pauses.append(try #require(failed.nextTry) - fixture.machine.time.wall / 1000)
        }
        #expect(pauses.prefix(9) == [4, 8, 16, 32, 64, 128, 256, 500, 500])
        #expect(pauses.suffix(10).allSatisfy { $0 == 1000 })
    }

    @Test func `giving back is no failure, and keeps the checkpoint`() throws {
        let job = try queue.add("job")
        let lease = try #require(try queue.take())
        try queue.change { transaction in
            try transaction.checkpoint(lease, [1, 2])
            _ = try transaction.heartbeat(
                lease, progress: OperationProgress("sending", completed: 3, total: 9))
            try transaction.release(lease)
        }
        let again = try #require(try queue.take())
        #expect(again.job.attempts == 0 && again.job.checkpoint == [1, 2])
        #expect(again.job.progress == OperationProgress("sending", completed: 3, total: 9))
        #expect(again.token == lease.token + 1 && again.id == job.id)
    }

    @Test func `what is written in the transaction that ends a job is there with its end, or neither is`()
        throws
    {
        let job = try queue.add("job")
        let lease = try #require(try queue.take())
        #expect(throws: JobQueueError.self) {
            try queue.change { transaction in
                try transaction.finish(lease)
                try transaction.add(JobRequest(kind: "next", queue: .maintenance))
                try transaction.add(JobRequest(kind: "", queue: .archives))
            }
        }
        #expect(try queue.now(job).state == .running && queue.jobs().count == 1)
        try queue.change { transaction in
            try transaction.finish(lease)
            try transaction.add(JobRequest(kind: "next", queue: .maintenance))
        }
        #expect(try queue.jobs().map(\.kind) == ["work", "next"])
        #expect(try queue.jobs().map(\.state) == [.finished, .waiting])
    }
}
