import Testing
import ValiseConcurrency
import ValiseJobQueue

extension JobWorld {
    /// From now on nothing fails, and users do what is needed: every job has to come to an end.
    mutating func endAll() throws {
        for index in workers.indices {
            machine.kill(workers[index].process)
            model.gone.insert(workers[index].process)
            workers[index] = try newWorker()
        }
        let queue = workers[0].queue
        for entry in model.jobs.values.sorted(by: { $0.id < $1.id }) {
            if entry.state == .needsUser {
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
                && job.nextTry == model.nextTry(job.id) && (job.progress?.completed ?? 0) == entry.done
                && job.checkpoint == entry.checkpoint.map { [$0] }
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
