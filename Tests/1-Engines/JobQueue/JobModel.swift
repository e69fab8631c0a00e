import ValiseJobQueue

/// What a queue has to do, in memory and in the simplest way: the judge of the model test.
struct JobModel {
    final class Entry {
        let id: JobID
        let queue: JobQueueName
        let key: String?
        let needs: [JobID]
        let most: Int
        var state = JobState.waiting
        var due: Int64 = 0
        var dueOnWall: Int64 = 0
        var pause: Int64 = 0
        var attempts = 0
        var losses = 0
        /// As it is, and as the run found it.
        var (done, doneBefore): (Int64, Int64) = (0, 0)
        var (checkpoint, checkpointBefore): (UInt8?, UInt8?) = (nil, nil)
        var token: Int64 = 0
        var isCancelling = false
        var failedBy: JobID?
        var holder: Int32 = 0
        var until: Int64 = 0

        init(_ id: JobID, _ queue: JobQueueName, _ key: String?, _ needs: [JobID], most: Int) {
            (self.id, self.queue, self.key) = (id, queue, key)
            (self.needs, self.most) = (needs, most)
        }
    }

    static let lease: Int64 = 60_000

    private(set) var jobs: [JobID: Entry] = [:]
    /// In the order in which they were added.
    private(set) var ids: [JobID] = []
    private var dependants: [JobID: [JobID]] = [:]
    private(set) var waiting: Set<JobID> = []
    private(set) var running: Set<JobID> = []
    private(set) var needingPerson: Set<JobID> = []
    private var keys: [String: JobID] = [:]
    /// How many have not ended.
    private(set) var open = 0
    /// In the order of their ends.
    private(set) var finished: [JobID] = []
    var time: JobTime
    /// The processes of which everybody sees that they are gone.
    var gone: Set<Int32> = []

    init(_ time: JobTime) { self.time = time }

    subscript(id: JobID) -> Entry { jobs[id]! }

    func openNeeds(_ id: JobID) -> Int { self[id].needs.count { self[$0].state != .finished } }

    // MARK: Operations

    func existing(_ key: String?) -> JobID? { key.flatMap { keys[$0] } }

    mutating func add(_ id: JobID, _ queue: JobQueueName, _ key: String?, _ needs: [JobID], most: Int) {
        jobs[id] = Entry(id, queue, key, needs, most: most)
        ids.append(id)
        open += 1
        for need in needs { dependants[need, default: []].append(id) }
        wait(id, 0)
        let ended = needs.sorted().first { [.failed, .cancelled].contains(self[$0].state) }
        if let ended { fail(id, because: ended) }
    }

    func isLost(_ id: JobID) -> Bool {
        self[id].state == .running && (time.awake >= self[id].until || gone.contains(self[id].holder))
    }

    mutating func releaseLost() {
        for id in running where isLost(id) {
            if self[id].isCancelling {
                end(id, .cancelled)
            } else {
                jobs[id]!.losses += 1
                wait(id, self[id].losses > 2 ? Self.pause(self[id].losses - 2) : 0)
            }
        }
    }

    /// Which job has to be taken next.
    mutating func next(_ queue: JobQueueName, limit: Int) -> JobID? {
        releaseLost()
        guard running.count(where: { self[$0].queue == queue }) < limit else { return nil }
        return waiting.filter {
            self[$0].queue == queue && self[$0].due <= time.sinceBoot && openNeeds($0) == 0
        }.min()
    }

    mutating func take(_ id: JobID, by process: Int32) {
        set(id, .running)
        jobs[id]!.token += 1
        jobs[id]!.holder = process
        jobs[id]!.doneBefore = self[id].done
        jobs[id]!.checkpointBefore = self[id].checkpoint
        jobs[id]!.until = time.awake + Self.lease
    }

    /// In seconds since 1970; nil where it does not wait for a time.
    func nextTry(_ id: JobID) -> Int64? {
        let rest = self[id].due - time.sinceBoot
        return self[id].state == .waiting && rest > 0 ? (time.wall + rest + 999) / 1000 : nil
    }

    func isHeld(_ lease: JobLease) -> Bool {
        self[lease.id].state == .running && self[lease.id].token == lease.token
    }

    mutating func beat(_ id: JobID, done: Int64?) {
        jobs[id]!.until = time.awake + Self.lease
        guard let done else { return }
        jobs[id]!.done = done
        if done > self[id].doneBefore { jobs[id]!.losses = 0 }
    }

    mutating func noteCheckpoint(_ id: JobID, _ checkpoint: UInt8) {
        jobs[id]!.checkpoint = checkpoint
        if checkpoint != self[id].checkpointBefore { jobs[id]!.losses = 0 }
    }

    mutating func finish(_ id: JobID) {
        finished.append(id)
        set(id, .finished)
    }

    mutating func fail(_ id: JobID, _ failure: JobFailure) {
        if self[id].isCancelling { return end(id, .cancelled) }
        switch failure {
        case .permanent: end(id, .failed)
        case .needsUser: set(id, .needsUser)
        case .temporary:
            if self[id].done > self[id].doneBefore || self[id].checkpoint != self[id].checkpointBefore {
                jobs[id]!.attempts = 0
            } else {
                jobs[id]!.done = self[id].doneBefore
            }
            jobs[id]!.attempts += 1
            if self[id].attempts < self[id].most {
                wait(id, Self.pause(self[id].attempts))
            } else {
                end(id, .failed)
            }
        }
    }

    mutating func release(_ id: JobID) {
        if self[id].isCancelling { end(id, .cancelled) } else { wait(id, 0) }
    }

    mutating func pause(_ id: JobID) {
        if self[id].isCancelling { return end(id, .cancelled) }
        jobs[id]!.losses += 1
        wait(id, Self.pause(self[id].losses))
    }

    mutating func cancel(_ id: JobID) {
        guard !self[id].state.isEnded else { return }
        if self[id].state == .running, !isLost(id) {
            jobs[id]!.isCancelling = true
        } else {
            end(id, .cancelled)
        }
    }

    func mayResume(_ id: JobID) -> Bool {
        !self[id].state.isEnded && (self[id].state != .running || isLost(id))
    }

    func mayRetry(_ id: JobID) -> Bool {
        [.failed, .cancelled].contains(self[id].state) && endedNeed(id) == nil
            && existing(self[id].key) == nil
    }

    mutating func startAnew(_ id: JobID) {
        jobs[id]!.attempts = 0
        jobs[id]!.losses = 0
        wait(id, 0)
    }

    mutating func retry(_ id: JobID) {
        startAnew(id)
        var revived = [id]
        while let need = revived.popLast() {
            for job in dependants[need] ?? [] where self[job].failedBy == need && self[job].state == .failed {
                if let other = endedNeed(job) {
                    jobs[job]!.failedBy = other
                } else if existing(self[job].key) == nil {
                    startAnew(job)
                    revived.append(job)
                }
            }
        }
    }

    /// The machine was started anew, and the queue opened.
    mutating func reboot(_ time: JobTime) {
        self.time = time
        for id in running { jobs[id]!.until = .min }
        for id in waiting {
            wait(id, max(0, min(self[id].pause, self[id].dueOnWall - time.wall)))
        }
    }

    // MARK: States

    private func endedNeed(_ id: JobID) -> JobID? {
        self[id].needs.sorted().first { [.failed, .cancelled].contains(self[$0].state) }
    }

    private mutating func wait(_ id: JobID, _ pause: Int64) {
        set(id, .waiting)
        jobs[id]!.pause = pause
        jobs[id]!.due = time.sinceBoot + pause
        jobs[id]!.dueOnWall = time.wall + pause
    }

    private mutating func fail(_ id: JobID, because need: JobID) {
        set(id, .failed)
        jobs[id]!.failedBy = need
    }

    private mutating func end(_ id: JobID, _ state: JobState) {
        set(id, state)
        var ended = [id]
        while let need = ended.popLast() {
            for job in dependants[need] ?? [] where !self[job].state.isEnded {
                fail(job, because: need)
                ended.append(job)
            }
        }
    }

    private mutating func set(_ id: JobID, _ state: JobState) {
        open += (state.isEnded ? 0 : 1) - (self[id].state.isEnded ? 0 : 1)
        jobs[id]!.state = state
        jobs[id]!.isCancelling = false
        jobs[id]!.failedBy = nil
        if state == .waiting { waiting.insert(id) } else { waiting.remove(id) }
        if state == .needsUser { needingPerson.insert(id) } else { needingPerson.remove(id) }
        if state == .running { running.insert(id) } else { running.remove(id) }
        guard let key = self[id].key else { return }
        if !state.isEnded { keys[key] = id } else if keys[key] == id { keys[key] = nil }
    }

    /// Three quarters of 8, 16, 32 … seconds, of 1000 at most.
    private static func pause(_ attempts: Int) -> Int64 {
        let full = min(8000 * Int64(1 << min(attempts - 1, 20)), 1_000_000)
        return full * 3 / 4
    }
}
