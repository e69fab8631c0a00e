import FaultInjection
import Synchronization
import SystemPackage
import ValiseFiles
import ValiseJobQueue
import ValiseSecrets

/// A machine whose clocks and processes a test moves.
final class TestMachine: Sendable {
    private struct State {
        var time = JobTime(wall: 1_700_000_000_000, sinceBoot: 5_000_000, awake: 4_000_000, boot: "boot 1")
        var boots = 1
        var gone: Set<Int32> = []
    }

    private let state = Mutex(State())

    var time: JobTime { state.withLock { $0.time } }
    var clock: JobClock { JobClock { self.time } }

    /// Time passes.
    func pass(_ milliseconds: Int64) {
        state.withLock {
            $0.time.wall += milliseconds
            $0.time.sinceBoot += milliseconds
            $0.time.awake += milliseconds
        }
    }

    func pass(seconds: Int64) { pass(seconds * 1000) }

    /// The machine sleeps.
    func sleep(seconds: Int64) {
        state.withLock {
            $0.time.wall += seconds * 1000
            $0.time.sinceBoot += seconds * 1000
        }
    }

    /// Somebody sets the clock on the wall, forward or back.
    func setClock(by seconds: Int64) { state.withLock { $0.time.wall += seconds * 1000 } }

    /// The machine was off for a time, and is started anew.
    func reboot(after seconds: Int64) {
        state.withLock {
            $0.boots += 1
            $0.time = JobTime(
                wall: $0.time.wall + seconds * 1000, sinceBoot: 1000, awake: 1000, boot: "boot \($0.boots)")
        }
    }

    /// A process is gone, and everybody can see it.
    func kill(_ process: Int32) { state.withLock { _ = $0.gone.insert(process) } }

    func processes(as process: Int32) -> JobProcesses {
        JobProcesses(
            current: JobProcess(number: process, start: Int64(process), space: "here"),
            isGone: { process in self.state.withLock { $0.gone.contains(process.number) } })
    }
}

/// A queue's database on such a machine. The folder is only kept and named, by any thread.
struct QueueFixture: @unchecked Sendable {
    let folder: TemporaryFolder
    let machine = TestMachine()
    let key: SharedSecret
    var settings = JobSettings(
        lease: .seconds(60), firstPause: .seconds(8), longestPause: .seconds(1000), patience: .seconds(5),
        jitter: { 0.5 })

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        key = SharedSecret(try SecretBytes(copying: (0..<32).map { UInt8($0) }))
    }

    var path: FilePath { folder.appending("jobs").appending("queue.db") }

    /// Opens it as a process would.
    func open(_ process: Int32 = 1) throws -> JobQueue {
        try JobQueue(
            path, key: key.bytes, settings: settings, clock: machine.clock,
            processes: machine.processes(as: process))
    }
}

extension JobQueue {
    /// A job of the kind `work`.
    func add(
        _ title: String, _ queue: JobQueueName = .archives, needs: [Job] = [], mostAttempts: Int = 3,
        key: String? = nil
    ) throws -> Job {
        try add(
            JobRequest(
                kind: "work", title: title, uniqueKey: key, queue: queue, mostAttempts: mostAttempts,
                needs: needs.map(\.id)))
    }

    func take(_ queue: JobQueueName = .archives, limit: Int? = nil) throws -> JobLease? {
        try change { try $0.take(queue: queue, limit: limit) }
    }

    func take(_ job: Job) throws -> JobLease { try change { try $0.take(job.id) } }

    @discardableResult
    func finish(_ lease: JobLease, _ result: String? = nil) throws -> Job {
        try change { try $0.finish(lease, result: result.map { Array($0.utf8) }) }
    }

    @discardableResult
    func fail(_ lease: JobLease, _ failure: JobFailure) throws -> Job {
        try change { try $0.fail(lease, failure) }
    }

    /// The job as it is now; every test has it.
    func now(_ job: Job) throws -> Job {
        guard let found = try self.job(job.id) else { throw Missing(id: job.id) }
        return found
    }

    struct Missing: Error { let id: JobID }
}
