import Testing
import ValiseConcurrency
import ValiseJobQueue

/// Workers that vanish, machines that sleep and stop, and clocks that jump.
struct JobLeaseTests {
    private let fixture: QueueFixture
    private let one: JobQueue
    private let two: JobQueue
    private var machine: TestMachine { fixture.machine }

    init() throws {
        fixture = try QueueFixture()
        one = try fixture.open(1)
        two = try fixture.open(2)
    }

    @Test func `a job is left alone as long as its worker is heard of`() throws {
        let job = try one.add("job")
        let lease = try #require(try one.take())
        for _ in 0..<5 {
            machine.pass(seconds: 59)
            #expect(try two.take() == nil)
            #expect(try one.change { try $0.heartbeat(lease) } == .proceed)
        }
        #expect(try two.now(job).process == 1 && !two.now(job).isLeft)
        do {
            _ = try two.take(job)
            Issue.record("taken from a worker that lives")
        } catch let error as JobQueueError {
            #expect(error.kind == .isRunning && error.message.contains("process 1"))
        }
    }

    @Test func `when the lease ends the job is taken over, and the previous worker changes nothing any more`()
        throws
    {
        let job = try one.add("job")
        let previous = try #require(try one.take())
        machine.pass(seconds: 60)
        #expect(try two.now(job).isLeft && two.counts().left == 1)
        let lease = try #require(try two.take())
        #expect(lease.id == job.id && lease.token > previous.token)
        let before = try two.now(job)
        let progress = OperationProgress("", completed: 1)
        let late = failure { _ = try one.change { try $0.heartbeat(previous, progress: progress) } }
        #expect(late?.kind == .leaseLost)
        #expect(failure { try one.change { try $0.checkpoint(previous, [1]) } }?.kind == .leaseLost)
        #expect(failure { try one.finish(previous, "wrong") }?.kind == .leaseLost)
        #expect(failure { try one.fail(previous, .permanent("wrong")) }?.kind == .leaseLost)
        #expect(failure { _ = try one.change { try $0.release(previous) } }?.kind == .leaseLost)
        #expect(try two.now(job) == before)
        try two.finish(lease, "right")
        #expect(failure { try one.finish(previous, "wrong") }?.kind == .leaseLost)
        #expect(failure { try two.finish(lease, "twice") }?.kind == .leaseLost)
        #expect(try one.now(job).result == Array("right".utf8))
        try two.change { try $0.remove(job.id) }
        #expect(failure { try one.finish(previous, "wrong") }?.kind == .leaseLost)
    }

    @Test func `a worker that was late and whose job nobody took goes on`() throws {
        let job = try one.add("job")
        let lease = try #require(try one.take())
        machine.pass(seconds: 600)
        #expect(try one.change { try $0.heartbeat(lease) } == .proceed)
        #expect(try two.take() == nil)
        try one.finish(lease)
        #expect(try one.now(job).state == .finished)
    }

    @Test func `the job of a process that is gone is taken over at once`() throws {
        let job = try one.add("job")
        _ = try one.take()
        machine.kill(1)
        #expect(try two.now(job).isLeft)
        #expect(try two.take(job).job.id == job.id)
    }

    @Test func `a machine that sleeps ends no lease, and one that was started anew ends all`() throws {
        let job = try one.add("job")
        let lease = try #require(try one.take())
        machine.sleep(seconds: 100_000)
        #expect(try two.take() == nil)
        #expect(try one.change { try $0.heartbeat(lease) } == .proceed)
        machine.reboot(after: 1)
        #expect(try fixture.open(3).take()?.id == job.id)
    }

    @Test(arguments: [-100_000_000, -61, 61, 100_000_000] as [Int64])
    func `a clock that is set ends no lease and holds none`(by seconds: Int64) throws {
        _ = try one.add("job")
        _ = try #require(try one.take())
        machine.setClock(by: seconds)
        #expect(try two.take() == nil)
        machine.pass(seconds: 60)
        #expect(try two.take() != nil)
    }

    // MARK: Pauses

    private func pausing() throws -> Job {
        let job = try one.add("job")
        // Three quarters of eight seconds.
        return try one.fail(try one.take(job), .temporary("x"))
    }

    @Test(arguments: [-100_000_000, -5, 5, 100_000_000] as [Int64])
    func `a clock that is set makes no pause longer or shorter`(by seconds: Int64) throws {
        let job = try pausing()
        machine.setClock(by: seconds)
        #expect(try one.now(job).nextTry == machine.time.wall / 1000 + 6)
        machine.pass(5_999)
        #expect(try two.take() == nil)
        machine.pass(1)
        #expect(try two.take() != nil)
    }

    @Test func `a pause goes on while the machine sleeps, and survives the end of the process`() throws {
        _ = try pausing()
        machine.kill(1)
        machine.pass(seconds: 3)
        #expect(try fixture.open(3).take() == nil)
        machine.sleep(seconds: 3)
        #expect(try fixture.open(3).take() != nil)
    }

    @Test func `a pause goes on while the machine is off`() throws {
        let job = try pausing()
        machine.reboot(after: 4)
        let three = try fixture.open(3)
        #expect(try three.now(job).nextTry == machine.time.wall / 1000 + 2)
        #expect(try three.take() == nil)
        machine.pass(1_999)
        #expect(try three.take() == nil)
        machine.pass(1)
        #expect(try three.take() != nil)
    }

    /// A machine without a clock that runs on is in 1970 whenever it starts.
    @Test func `a clock that was set back while the machine was off makes no pause longer`() throws {
        let job = try pausing()
        for _ in 0..<3 {
            machine.reboot(after: -500_000_000)
            let queue = try fixture.open(3)
            #expect(try queue.take() == nil)
            #expect(try queue.now(job).nextTry == machine.time.wall / 1000 + 6)
        }
        let queue = try fixture.open(4)
        machine.pass(seconds: 6)
        #expect(try queue.take() != nil)
    }

    @Test func `a clock that was set forward while the machine was off loses nothing`() throws {
        _ = try pausing()
        machine.reboot(after: 1_000_000_000)
        #expect(try fixture.open(3).take() != nil)
    }

    // MARK: Losses

    @Test func `a job whose worker goes again and again has to pause, and never ends for that`() throws {
        let job = try one.add("job", mostAttempts: 1)
        var pauses: [Int64] = []
        for process in 10..<18 as Range<Int32> {
            let queue = try fixture.open(process)
            let before = machine.time.wall
            while try queue.take() == nil { machine.pass(1000) }
            pauses.append((machine.time.wall - before) / 1000)
            machine.kill(process)
        }
        #expect(pauses == [0, 0, 0, 6, 12, 24, 48, 96])
        #expect(try one.now(job).attempts == 0 && one.now(job).isLeft)
    }

    @Test(arguments: [0, 5] as [Int64])
    func `what gets only as far as before is no reason to go on without a pause`(done: Int64) throws {
        _ = try one.add("job")
        var pauses: [Int64] = []
        for process in 10..<18 as Range<Int32> {
            let queue = try fixture.open(process)
            let before = machine.time.wall
            var lease = try queue.take()
            while lease == nil {
                machine.pass(1000)
                lease = try queue.take()
            }
            pauses.append((machine.time.wall - before) / 1000)
            let taken = try #require(lease)
            try queue.change { transaction in
                try transaction.checkpoint(taken, [1])
                for step in 0...done {
                    _ = try transaction.heartbeat(taken, progress: OperationProgress("", completed: step))
                }
            }
            machine.kill(process)
        }
        #expect(pauses == [0, 0, 0, 6, 12, 24, 48, 96])
    }

    @Test func `a checkpoint or progress tells that a job gets somewhere`() throws {
        _ = try one.add("job")
        for process in 10..<30 as Range<Int32> {
            let queue = try fixture.open(process)
            let lease = try #require(try queue.take())
            try queue.change { transaction in
                if process.isMultiple(of: 2) {
                    try transaction.checkpoint(lease, [UInt8(process)])
                } else {
                    _ = try transaction.heartbeat(
                        lease, progress: OperationProgress("", completed: Int64(process)))
                }
            }
            machine.kill(process)
        }
    }

    @Test func `a left job that was cancelled is cancelled, not run again`() throws {
        let first = try one.add("first")
        _ = try one.take(first)
        try two.change { _ = try $0.cancel(first.id) }
        machine.kill(1)
        #expect(try two.take() == nil)
        #expect(try two.now(first).state == .cancelled)
        let second = try two.add("second")
        _ = try two.take(second)
        machine.kill(2)
        let three = try fixture.open(3)
        #expect(try three.change { try $0.cancel(second.id) }.state == .cancelled)
    }

    @Test func `a left job is resumed by a user at once`() throws {
        let job = try one.add("job")
        for process in 10..<14 as Range<Int32> {
            _ = try fixture.open(process).take(job)
            machine.kill(process)
        }
        #expect(try two.change { try $0.resume(job.id) }.nextTry == nil)
        #expect(try two.take() != nil)
    }
}
