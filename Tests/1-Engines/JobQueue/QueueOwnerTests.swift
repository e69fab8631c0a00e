import Testing
import ValiseConcurrency
import ValiseJobQueue

/// One owner of a job at a time. ``WorkerKillTests`` shows the same with processes that are killed.
struct QueueOwnerTests {
    private let fixture: QueueFixture
    private var machine: TestMachine { fixture.machine }

    init() throws { fixture = try QueueFixture() }

    @Test func `queues that take at the same time never have the same job`() async throws {
        // Two of them in one process.
        let queues = try [1, 1, 2, 3].map { try fixture.open($0) }
        let jobs = try (0..<80).map { try queues[0].add("\($0)").id }
        let taken = try await withThrowingTaskGroup(of: [JobID].self) { group in
            for queue in queues {
                group.addTask {
                    try await BlockingExecutor.shared.run {
                        var taken: [JobID] = []
                        while let lease = try queue.take() {
                            taken.append(lease.id)
                            if taken.count.isMultiple(of: 2) { try queue.finish(lease) }
                        }
                        return taken
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.sorted() == jobs)
        #expect(try queues[0].jobs().allSatisfy { $0.state == .finished || $0.state == .running })
    }

    @Test(arguments: [1, 2] as [Int32])
    func `heartbeats keep a job from other queues, and without them it is taken over`(other: Int32) throws {
        let (one, two) = (try fixture.open(1), try fixture.open(other))
        let job = try one.add("job")
        let lease = try one.take(job)
        for _ in 0..<100 {
            machine.pass(seconds: 59)
            #expect(try one.change { try $0.heartbeat(lease) } == .proceed)
            #expect(try two.take() == nil)
            #expect(failure { _ = try two.take(job) }?.kind == .isRunning)
        }
        machine.pass(59_999)
        #expect(try two.take() == nil)
        machine.pass(1)
        #expect(try two.now(job).isLeft)
        #expect(try #require(try two.take()).token == lease.token + 1)
    }

    enum Later: CaseIterable { case running, finished, failed, waiting, takenAgainByThePrevious, removed }

    @Test(arguments: Later.allCases)
    func `an owner that wakes up later records nothing, whatever became of the job`(later: Later) throws {
        let (one, two) = (try fixture.open(1), try fixture.open(2))
        let job = try one.add("job")
        let previous = try one.take(job)
        machine.pass(seconds: 60)
        let owner = try #require(try two.take())
        switch later {
        case .running: break
        case .finished: try two.finish(owner, "right")
        case .failed: try two.fail(owner, .permanent("no such file"))
        case .waiting: try two.fail(owner, .temporary("no network"))
        case .takenAgainByThePrevious:
            try two.change { _ = try $0.release(owner) }
            _ = try one.take(job)
        case .removed:
            try two.finish(owner)
            try two.change { try $0.remove(job.id) }
        }
        let before = try two.jobs()
        let attempts: [(borrowing JobTransaction) throws -> Void] = [
            { try $0.finish(previous, result: [1]) }, { try $0.fail(previous, .temporary("late")) },
            { try $0.fail(previous, .permanent("late")) }, { try $0.fail(previous, .needsUser("late")) },
            { try $0.release(previous) }, { try $0.pause(previous) }, { try $0.checkpoint(previous, [1]) },
            { _ = try $0.heartbeat(previous, progress: OperationProgress("late", completed: 1)) },
        ]
        for attempt in attempts {
            // With whatever else is written in the same transaction.
            let refused = failure {
                try one.change { transaction in
                    try transaction.add(JobRequest(kind: "effect", queue: .maintenance))
                    try attempt(transaction)
                }
            }
            #expect(refused?.kind == .leaseLost)
            #expect(try two.jobs() == before)
        }
    }
}
