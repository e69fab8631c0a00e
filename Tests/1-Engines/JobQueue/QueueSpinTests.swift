import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseJobQueue

/// A job that others wait for and that never gets anywhere: it may not spin, nor keep back what does not need it.
struct QueueSpinTests {
    private let fixture: QueueFixture
    private var machine: TestMachine { fixture.machine }

    init() throws { fixture = try QueueFixture() }

    enum Trouble: CaseIterable { case fails, stops, diesWithItsWorker }

    @Test(arguments: Trouble.allCases)
    func `a blocker that gets nowhere is run a few times in an hour, at growing distances`(trouble: Trouble)
        throws
    {
        var process: Int32 = 1
        var queue = try fixture.open(process)
        let blocker = try queue.add("blocker", mostAttempts: 1000)
        let waiting = try queue.add("waiting", needs: [blocker])
        let neighbor = try queue.add("neighbor")
        var runs: [Int64] = []
        for second in 0..<3600 as Range<Int64> {
            // A worker that takes whatever it can, one at a time.
            while let lease = try queue.take(limit: 1) {
                if lease.id == neighbor.id {
                    #expect(second == 0)
                    try queue.finish(lease)
                    continue
                }
                try #require(lease.id == blocker.id)
                runs.append(second)
                try #require(runs.count < 100, "it spins")
                switch trouble {
                case .fails: try queue.fail(lease, .temporary("no network"))
                case .stops: try queue.change { _ = try $0.pause(lease) }
                case .diesWithItsWorker:
                    machine.kill(process)
                    process += 1
                    queue = try fixture.open(process)
                }
            }
            machine.pass(seconds: 1)
        }
        // Three quarters of 8, 16, 32 ... seconds, of 1000 at most.
        let expected: [Int64] = [0, 6, 18, 42, 90, 186, 378, 762, 1512, 2262, 3012]
        // The first two workers may have died of something else.
        #expect(runs == (trouble == .diesWithItsWorker ? [0, 0] : []) + expected)
        #expect(try queue.now(neighbor).state == .finished && queue.now(waiting).state == .waiting)
    }

    @Test func `a job that got further begins with the first pause again`() throws {
        let queue = try fixture.open()
        let job = try queue.add("job")
        func stop(_ checkpoint: [UInt8]? = nil) throws -> Int64 {
            let lease = try queue.take(job)
            let paused = try queue.change { transaction in
                if let checkpoint { try transaction.checkpoint(lease, checkpoint) }
                return try transaction.pause(lease)
            }
            return try #require(paused.nextTry) - machine.time.wall / 1000
        }
        #expect(try [stop(), stop(), stop()] == [6, 12, 24])
        #expect(try [stop([1]), stop([1]), stop([2])] == [6, 12, 6])
    }

    @Test func `a job that stops and is not wanted any more is cancelled`() throws {
        let queue = try fixture.open()
        let lease = try queue.take(queue.add("job"))
        try queue.change { _ = try $0.cancel(lease.id) }
        #expect(try queue.change { try $0.pause(lease) }.state == .cancelled)
        #expect(failure { try queue.change { _ = try $0.pause(lease) } }?.kind == .leaseLost)
    }

    enum Handling: CaseIterable { case fails, interrupts, isCancelled, asks }

    @Test(arguments: Handling.allCases)
    func `a runner runs a blocker once at one moment, and its neighbors`(handling: Handling) async throws {
        let queue = try fixture.open()
        let blocker = try queue.add("blocker", mostAttempts: 1000)
        let waiting = try queue.add("waiting", needs: [blocker])
        let neighbor = try queue.add("neighbor")
        let runs = Mutex<[String]>([])
        let handler = WorkHandler { job, _ in
            let count = runs.withLock { runs in
                runs.append(job.title)
                return runs.count
            }
            // One that spins comes to an end, too.
            guard job.title == "blocker", count < 10 else { return JobOutcome() }
            switch handling {
            case .fails: throw JobFailure.temporary("no network")
            case .interrupts: throw Interruption()
            case .isCancelled: throw CancellationError()
            case .asks: throw JobFailure.needsUser("the disk is full")
            }
        }
        let runner = JobRunner(queue, handlers: [handler], pause: .milliseconds(1))
        for _ in 0..<3 { try await runner.run(until: .idle) }
        #expect(runs.withLock { $0 } == ["blocker", "neighbor"])
        #expect(try queue.now(neighbor).state == .finished && queue.now(waiting).openNeeds == 1)
    }
}
