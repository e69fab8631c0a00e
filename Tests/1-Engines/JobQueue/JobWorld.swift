import FaultInjection
import Testing
import ValiseConcurrency
import ValiseJobQueue

/// A machine with workers and a queue, and the model of it.
struct JobWorld {
    struct Worker {
        let process: Int32
        let queue: JobQueue
        var leases: [JobLease] = []
        /// It does nothing for a while, and then goes on as if nothing had been.
        var isHanging = false
    }

    private static let limits: [JobQueueName: Int] = [.transfers: 3, .archives: 2]
    static let queues: [JobQueueName] = [.transfers, .archives]

    private let fixture: QueueFixture
    private var random: SeededGenerator
    var workers: [Worker] = []
    private var lastProcess: Int32 = 100
    var model: JobModel
    private(set) var tally: [String: Int] = [:]
    var machine: TestMachine { fixture.machine }

    init(seed: UInt64) throws {
        fixture = try QueueFixture()
        random = SeededGenerator(seed: seed)
        model = JobModel(fixture.machine.time)
        for _ in 0..<5 { workers.append(try newWorker()) }
    }

    mutating func newWorker() throws -> Worker {
        lastProcess += 1
        return Worker(process: lastProcess, queue: try fixture.open(lastProcess))
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func count(_ name: String) { tally[name, default: 0] += 1 }

    // MARK: Operations

    mutating func operation() throws {
        let index = Int.random(in: 0..<workers.count, using: &random)
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<60: if model.open < 120 { try add(by: index) }
        case 60..<400: try take(by: index)
        case 400..<910: try work(index)
        case 910..<940: pass(Int64.random(in: 0..<15_000, using: &random))
        case 940..<955: try askAsPerson(index)
        case 955..<970: try kill(index)
        case 970..<980: hang(index)
        case 980..<988: setClock()
        case 988..<990: pass(Int64.random(in: 0..<2_000_000, using: &random))
        case 990..<993: sleepLong()
        case 993..<995: try reboot()
        default: break
        }
    }

    private mutating func add(by index: Int) throws {
        let recent = model.jobs.count == 0 ? [] : Array(max(1, lastID - 40)...lastID)
        let needs =
            chance(40)
            ? (0..<3).compactMap { _ in recent.randomElement(using: &random) }.compactMap(known) : []
        let key = chance(15) ? "key \(Int.random(in: 0..<30, using: &random))" : nil
        let queue = Self.queues.randomElement(using: &random)!
        let most = Int.random(in: 1...5, using: &random)
        let job = try workers[index].queue.add(
            JobRequest(kind: "work", uniqueKey: key, queue: queue, mostAttempts: most, needs: needs))
        if let existing = model.existing(key) {
            #expect(job.id == existing)
        } else {
            #expect(model.jobs[job.id] == nil)
            lastID = job.id.rawValue
            model.add(job.id, queue, key, Set(needs).sorted(), most: most)
        }
    }

    private var lastID: Int64 = 0

    /// Numbers between are those of records.
    private func known(_ number: Int64) -> JobID? {
        let id = JobID(rawValue: number)
        return model.jobs[id] == nil ? nil : id
    }

    private mutating func take(by index: Int) throws {
        guard !workers[index].isHanging, workers[index].leases.count < 3 else { return }
        let name = Self.queues.randomElement(using: &random)!
        let limit = Self.limits[name]!
        let lease = try workers[index].queue.change {
            try $0.take(queue: name, kinds: ["work"], limit: limit)
        }
        try #require(lease?.id == model.next(name, limit: limit))
        guard let lease else { return }
        if model[lease.id].token > 0, model[lease.id].losses > 0 { count("taken over") }
        model.take(lease.id, by: workers[index].process)
        #expect(lease.token == model[lease.id].token)
        workers[index].leases.append(lease)
    }

    /// One thing with one of the worker's jobs. Where it was taken over, nothing happens but that it is told.
    private mutating func work(_ index: Int) throws {
        guard !workers[index].isHanging, let lease = workers[index].leases.randomElement(using: &random)
        else { return }
        let isHeld = model.isHeld(lease)
        do {
            let isOver = try work(workers[index].queue, lease)
            if isOver { workers[index].leases.removeAll { $0 == lease } }
            #expect(isHeld)
        } catch let error as JobQueueError where error.kind == .leaseLost {
            #expect(!isHeld)
            count("lost")
            workers[index].leases.removeAll { $0 == lease }
        }
    }

    /// Whether the worker is done with it.
    private mutating func work(_ queue: JobQueue, _ lease: JobLease) throws -> Bool {
        let id = lease.id
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<10:
            let checkpoint = UInt8.random(in: 0...2, using: &random)
            try queue.change { try $0.checkpoint(lease, [checkpoint]) }
            model.noteCheckpoint(id, checkpoint)
            return false
        case 10..<25:
            let progress =
                chance(50) ? OperationProgress("", completed: Int64.random(in: 0...5, using: &random)) : nil
            let signal = try queue.change { try $0.heartbeat(lease, progress: progress) }
            #expect((signal == .cancel) == model[id].isCancelling)
            model.beat(id, done: progress?.completed)
            return false
        case 25..<28:
            try queue.change { _ = try $0.release(lease) }
            model.release(id)
        case 28..<30:
            try queue.change { _ = try $0.pause(lease) }
            model.pause(id)
            count("paused")
        case 30..<62:
            try finish(queue, lease)
        case 62..<92: try fail(queue, lease, .temporary("temporary"))
        case 92..<96: try fail(queue, lease, .permanent("permanent"))
        default: try fail(queue, lease, .needsUser("person"))
        }
        return true
    }

    /// The job's effect is a record that is written with its end.
    mutating func finish(_ queue: JobQueue, _ lease: JobLease) throws {
        let record = JobRequest(kind: "record", payload: Array("\(lease.id)".utf8), queue: .maintenance)
        try queue.change { transaction in
            try transaction.finish(lease)
            try transaction.add(record)
        }
        model.finish(lease.id)
        count("finished")
    }

    private mutating func fail(_ queue: JobQueue, _ lease: JobLease, _ failure: JobFailure) throws {
        try queue.change { _ = try $0.fail(lease, failure) }
        model.fail(lease.id, failure)
        count(failure.reason)
    }

    private mutating func askAsPerson(_ index: Int) throws {
        // Old jobs that need a user, too: the queue would fill with them.
        let asks = Int.random(in: 0..<3, using: &random)
        let recent = model.ids.suffix(200)
        let asking =
            chance(50) ? [] : asks == 2 ? recent.filter(model.mayRetry) : model.needingPerson.sorted()
        guard let id = (asking.isEmpty ? recent : asking[...]).randomElement(using: &random)
        else { return }
        let queue = workers[index].queue
        switch asks {
        case 0:
            if !model[id].state.isEnded { count("cancelled") }
            try queue.change { _ = try $0.cancel(id) }
            model.cancel(id)
        case 1:
            let isDone = try isDone { try queue.change { _ = try $0.resume(id) } }
            #expect(isDone == model.mayResume(id))
            if isDone {
                count("resumed")
                model.startAnew(id)
            }
        default:
            let isDone = try isDone { try queue.change { _ = try $0.retry(id) } }
            #expect(isDone == model.mayRetry(id))
            if isDone {
                count("retried")
                model.retry(id)
            }
        }
    }

    private func isDone(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as JobQueueError where [.wrongState, .sameKey].contains(error.kind) {
            return false
        }
    }

    // MARK: Accidents

    /// The process is gone in the midst of whatever it did. That is seen at once, or only when its leases end.
    private mutating func kill(_ index: Int) throws {
        count("kill")
        if chance(60) {
            machine.kill(workers[index].process)
            model.gone.insert(workers[index].process)
        }
        workers[index] = try newWorker()
    }

    private mutating func hang(_ index: Int) {
        if !workers[index].isHanging { count("hang") }
        workers[index].isHanging.toggle()
    }

    mutating func pass(_ milliseconds: Int64) {
        machine.pass(milliseconds)
        model.time = machine.time
    }

    private mutating func sleepLong() {
        machine.sleep(seconds: Int64.random(in: 0..<1000, using: &random))
        model.time = machine.time
    }

    private mutating func setClock() {
        count("clock")
        machine.setClock(by: Int64.random(in: -1_000_000...1_000_000, using: &random))
        model.time = machine.time
    }

    private mutating func reboot() throws {
        count("reboot")
        machine.reboot(after: Int64.random(in: -1000...1000, using: &random))
        model.reboot(machine.time)
        for index in workers.indices { workers[index] = try newWorker() }
    }
}
