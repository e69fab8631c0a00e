import FaultInjection
import Foundation
import JobQueue
import Testing

/// Random acts of several workers, persons and clocks on a queue, judged by ``JobModel`` after each.
///
/// `VALISE_SOAK=1` lets 10,000 jobs run, `VALISE_SEED` repeats the acts of an earlier run.
struct JobModelTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `whatever happens, each job is done once, none is lost, and order and needs are held`() throws
    {
        let count = Self.environment["VALISE_SOAK"] == nil ? 400 : 10_000
        let seed = Self.environment["VALISE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
        print("seed of the jobs: \(seed)")
        let began = ContinuousClock.now
        var world = try JobWorld(seed: seed)
        while world.model.jobs.count < count { try world.act() }
        try world.compare()
        try world.endAll()
        try world.compare()
        try world.expectEffects()
        print("\(count) jobs with seed \(seed): \(world.tally) in \(ContinuousClock.now - began)")
        // The acts that matter happened.
        for name in [
            "kill", "hang", "reboot", "clock", "lost", "finished", "temporary", "permanent", "taken over",
        ] {
            #expect(world.tally[name, default: 0] > 0, "\(name)")
        }
    }
}

/// A machine with workers and a queue, and the model of it.
struct JobWorld {
    private struct Worker {
        let process: Int32
        let queue: JobQueue
        var leases: [JobLease] = []
        /// It does nothing for a while, and then goes on as if nothing had been.
        var isHanging = false
    }

    private static let limits: [JobQueueName: Int] = [.transfers: 3, .archives: 2]
    private static let queues: [JobQueueName] = [.transfers, .archives]

    private let fixture: QueueFixture
    private var random: SeededGenerator
    private var workers: [Worker] = []
    private var lastProcess: Int32 = 100
    private(set) var model: JobModel
    private(set) var tally: [String: Int] = [:]
    private var machine: TestMachine { fixture.machine }

    init(seed: UInt64) throws {
        fixture = try QueueFixture()
        random = SeededGenerator(seed: seed)
        model = JobModel(fixture.machine.time)
        for _ in 0..<5 { workers.append(try newWorker()) }
    }

    private mutating func newWorker() throws -> Worker {
        lastProcess += 1
        return Worker(process: lastProcess, queue: try fixture.open(lastProcess))
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func count(_ name: String) { tally[name, default: 0] += 1 }

    // MARK: Acts

    mutating func act() throws {
        let index = Int.random(in: 0..<workers.count, using: &random)
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<60: if model.open < 300 { try add(by: index) }
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
        let priority = Int.random(in: -2...2, using: &random)
        let most = Int.random(in: 1...5, using: &random)
        let delay = chance(20) ? Int64.random(in: 0..<100_000, using: &random) : 0
        let job = try workers[index].queue.add(
            JobRequest(
                kind: "work", uniqueKey: key, queue: queue, priority: priority, mostAttempts: most,
                needs: needs,
                delay: .milliseconds(delay)))
        if let existing = model.existing(key) {
            #expect(job.id == existing)
        } else {
            #expect(model.jobs[job.id] == nil)
            lastID = job.id.rawValue
            model.add(job.id, queue, priority, key, Set(needs).sorted(), most: most, delay: delay)
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
            try queue.change { try $0.checkpoint(lease, [1]) }
            model.noteCheckpoint(id)
            return false
        case 10..<25:
            let progress = chance(50) ? JobProgress(done: 1) : nil
            let signal = try queue.change { try $0.heartbeat(lease, progress: progress) }
            #expect((signal == .cancel) == model[id].isCancelling)
            model.beat(id, getsSomewhere: progress != nil)
            return false
        case 25..<30:
            try queue.change { _ = try $0.giveBack(lease) }
            model.giveBack(id)
        case 30..<62:
            try finish(queue, lease)
        case 62..<92: try fail(queue, lease, .temporary("temporary"))
        case 92..<96: try fail(queue, lease, .permanent("permanent"))
        default: try fail(queue, lease, .needsPerson("person"))
        }
        return true
    }

    /// The job's effect is a record that is written with its end.
    private mutating func finish(_ queue: JobQueue, _ lease: JobLease) throws {
        let record = JobRequest(kind: "record", payload: Array("\(lease.id)".utf8), queue: .maintenance)
        try queue.change { _ = try $0.finish(lease, then: [record]) }
        model.finish(lease.id)
        count("finished")
    }

    private mutating func fail(_ queue: JobQueue, _ lease: JobLease, _ failure: JobFailure) throws {
        try queue.change { _ = try $0.fail(lease, failure) }
        model.fail(lease.id, failure)
        count(failure.reason)
    }

    private mutating func askAsPerson(_ index: Int) throws {
        guard let id = model.jobs.keys.sorted().suffix(200).randomElement(using: &random) else { return }
        let queue = workers[index].queue
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            try queue.change { _ = try $0.cancel(id) }
            model.cancel(id)
        case 1:
            let isDone = try isDone { try queue.change { _ = try $0.resume(id) } }
            #expect(isDone == model.mayResume(id))
            if isDone { model.startAnew(id) }
        default:
            let isDone = try isDone { try queue.change { _ = try $0.retry(id) } }
            #expect(isDone == model.mayRetry(id))
            if isDone { model.retry(id) }
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

    private mutating func pass(_ milliseconds: Int64) {
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

    // MARK: The end

    /// From now on nothing fails, and persons do what is needed: every job has to come to an end.
    mutating func endAll() throws {
        for index in workers.indices {
            machine.kill(workers[index].process)
            model.gone.insert(workers[index].process)
            workers[index] = try newWorker()
        }
        let queue = workers[0].queue
        for entry in model.jobs.values.sorted(by: { $0.id < $1.id }) {
            if entry.state == .needsPerson {
                try queue.change { _ = try $0.resume(entry.id) }
                model.startAnew(entry.id)
            } else if model.mayRetry(entry.id), chance(50) {
                try queue.change { _ = try $0.retry(entry.id) }
                model.retry(entry.id)
            }
        }
        var rounds = 0
        while model.open > 0 {
            rounds += 1
            try #require(rounds < 100_000, "\(model.open) jobs never end")
            var isIdle = true
            for name in Self.queues {
                let lease = try queue.change { try $0.take(queue: name, kinds: ["work"]) }
                try #require(lease?.id == model.next(name, limit: .max))
                guard let lease else { continue }
                isIdle = false
                model.take(lease.id, by: workers[0].process)
                try finish(queue, lease)
            }
            if isIdle { pass(10_000) }
        }
    }

    /// Every job is in the database what it is in the model.
    func compare() throws {
        let jobs = try workers[0].queue.jobs(JobFilter(kinds: ["work"]))
        #expect(jobs.count == model.jobs.count)
        for job in jobs {
            let entry = model[job.id]
            let isSame =
                job.state == entry.state && job.attempts == entry.attempts && job.failedBy == entry.failedBy
                && job.openNeeds == model.openNeeds(job.id) && job.isCancelling == entry.isCancelling
                && job.isLeft == model.isLost(job.id) && job.needs == entry.needs
            #expect(isSame, "\(job) is not \(entry)")
        }
    }

    /// One record for each finished job and none for any other, in the order of their ends, needs first.
    func expectEffects() throws {
        let records = try workers[0].queue.jobs(JobFilter(kinds: ["record"])).map {
            JobID(String(decoding: $0.payload, as: UTF8.self))
        }
        let isSame = records == model.finished
        #expect(isSame)
        #expect(Set(model.finished).count == model.finished.count)
        #expect(Set(model.finished) == Set(model.jobs.values.filter { $0.state == .finished }.map(\.id)))
        var done: Set<JobID> = []
        for id in model.finished {
            #expect(model[id].needs.allSatisfy(done.contains))
            done.insert(id)
        }
    }
}
