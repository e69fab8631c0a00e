import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures

extension JobDatabase {
    func take(queue: JobQueueName, kinds: Set<String>?, limit: Int?) throws -> JobLease? {
        try releaseLost()
        let name = Value.text(queue.rawValue)
        if let limit {
            let running = try connection.count(
                "SELECT count(*) FROM jobs WHERE state = 'running' AND queue = ?", [name])
            guard running < limit else { return nil }
        }
        let ofKind = kinds.map { "AND kind IN (\($0.map { _ in "?" }.joined(separator: ", ")))" } ?? ""
        // The priority is 0 in all rows; without it the index would not give them in this order.
        let found = try value(
            """
            SELECT job_id FROM jobs
            WHERE queue = ? AND state = 'waiting' AND open_needs = 0 AND due_since_boot <= ? \(ofKind)
            ORDER BY priority DESC, job_id LIMIT 1
            """, [name, .integer(time.sinceBoot)] + (kinds ?? []).map(Value.text))
        return try found.map { try occupy(JobID(rawValue: $0)) }
    }

    /// What ``take(queue:kinds:limit:)`` would give now, and then one after the other as soon as each ends; nothing is changed.
    ///
    /// - Parameter limit: of each queue.
    /// - Returns: the oldest of each queue first.
    func takeable(kinds: Set<String>, limit: (JobQueueName) -> Int) throws -> [Job] {
        let lost = try standings(where: "j.state = 'running'").filter { runsAgain(afterLossOf: $0) }
            .map(\.id)
        let jobs = try jobs(JobFilter(states: [.waiting, .running]))
        return JobQueueName.allCases.flatMap { name -> [Job] in
            let queued = jobs.filter { $0.queue == name }
            guard queued.count(where: { $0.state == .running && !$0.isLeft }) < limit(name) else { return [] }
            return queued.filter { job in
                let isDue = job.state == .waiting ? job.nextTry == nil : lost.contains(job.id)
                return isDue && job.openNeeds == 0 && kinds.contains(job.kind)
            }
        }
    }

    func take(_ id: JobID) throws -> JobLease {
        try releaseLost()
        let job = try existing(id)
        switch job.state {
        case .waiting where job.openNeeds == 0: return try occupy(id)
        case .waiting: throw JobQueueError.wrongState(id, "the job depends on unfinished jobs")
        case .running:
            let holder = job.process.map { "process \($0)" } ?? "another worker"
            throw JobQueueError(
                .isRunning, .inUse, "\(holder) is running this job",
                subject: "job \(id)", remedy: .cancelJob(id.rawValue))
        case .needsUser:
            throw JobQueueError.wrongState(
                id, "the job is waiting for the user", remedy: .showJob(id.rawValue))
        case .finished, .failed, .cancelled:
            throw JobQueueError.wrongState(id, "the job has ended and does not run again on its own")
        }
    }

    private func occupy(_ id: JobID) throws -> JobLease {
        try step {
            let number = Value.integer(id.rawValue)
            try connection.run(
                "UPDATE jobs SET state = 'running', token = token + 1, changed_at = ? WHERE job_id = ?",
                [.integer(wallSeconds), number])
            let process = processes.current
            try connection.run(
                """
                INSERT INTO job_leases (job_id, token, process, process_start, process_space, boot, until_awake)
                SELECT job_id, token, ?, ?, ?, ?, ? FROM jobs WHERE job_id = ?
                """,
                [
                    .integer(Int64(process.number)), .integer(process.start), .text(process.space),
                    .text(time.boot),
                    .integer(leaseEnd), number,
                ])
            let row = try row(id)
            guard let lease = row.lease else { throw JobQueueError.damagedRow(id.rawValue) }
            return JobLease(job: row.job, token: lease.token)
        }
    }

    private var leaseEnd: Int64 { time.awake + settings.lease.milliseconds }

    /// Where the job stands, if the lease is still the one that counts.
    func held(_ lease: JobLease) throws -> JobStanding {
        guard let job = try standing(lease.id), job.state == .running, job.lease?.token == lease.token else {
            throw JobQueueError.leaseLost(lease.id)
        }
        return job
    }

    func heartbeat(_ lease: JobLease, progress: OperationProgress?) throws -> JobSignal {
        let job = try held(lease)
        let number = Value.integer(lease.id.rawValue)
        return try step {
            try connection.run(
                "UPDATE job_leases SET until_awake = ? WHERE job_id = ?", [.integer(leaseEnd), number])
            if let progress {
                try keep(progress, of: lease.id)
                if lease.isSurpassed(by: progress) { try forgetLosses(of: lease.id) }
            }
            return job.isCancelling ? .cancel : .proceed
        }
    }

    func checkpoint(_ lease: JobLease, _ bytes: [UInt8]) throws {
        _ = try held(lease)
        try check(bytes, "checkpoint")
        try step {
            try connection.run(
                "UPDATE jobs SET checkpoint = ? WHERE job_id = ?",
                [.blob(bytes), .integer(lease.id.rawValue)])
            // The same bytes again are written by a run that gets nowhere, too.
            if bytes != lease.job.checkpoint { try forgetLosses(of: lease.id) }
        }
    }

    func finish(_ lease: JobLease, result: [UInt8]?) throws -> Job {
        _ = try held(lease)
        try check(result ?? [], "result")
        return try step {
            try connection.run(
                "UPDATE jobs SET result = ? WHERE job_id = ?",
                [result.map(Value.blob) ?? .null, .integer(lease.id.rawValue)])
            try leave(lease.id, as: .finished)
            return try existing(lease.id)
        }
    }

    func fail(_ lease: JobLease, _ failure: JobFailure) throws -> Job {
        let job = try held(lease)
        return try step {
            switch failure {
            case _ where job.isCancelling: try leave(job.id, as: .cancelled)
            case .permanent(let reason): try leave(job.id, as: .failed, reason: reason)
            case .needsUser(let reason): try leave(job.id, as: .needsUser, reason: reason)
            case .temporary(let reason): try failForNow(lease, reason)
            }
            return try existing(job.id)
        }
    }

    /// A run that got further than those before it begins the count of tries anew: a large transfer on a bad network is no
    /// dead letter as long as it moves.
    private func failForNow(_ lease: JobLease, _ reason: String) throws {
        let job = try existing(lease.id)
        let isFurther =
            job.checkpoint != lease.job.checkpoint || job.progress.map(lease.isSurpassed) == true
        let attempts = (isFurther ? 0 : job.attempts) + 1
        // Later runs are measured by the one that got furthest, or one that swings to and fro would be tried for ever.
        if !isFurther, let furthest = lease.job.progress, furthest.activity == job.progress?.activity {
            try keep(furthest, of: job.id)
        }
        try connection.run(
            "UPDATE jobs SET attempts = ? WHERE job_id = ?",
            [.integer(Int64(attempts)), .integer(job.id.rawValue)])
        if attempts < job.mostAttempts {
            try wait(job.id, pause: settings.pause(afterAttempts: attempts), reason: reason)
        } else {
            try leave(
                job.id, as: .failed,
                reason: "\(reason) (\(Count.text(attempts, "attempt")))")
        }
    }

    private func keep(_ progress: OperationProgress, of id: JobID) throws {
        try connection.run(
            "UPDATE jobs SET progress_done = ?, progress_total = ?, progress_text = ? WHERE job_id = ?",
            [
                .integer(progress.completed), progress.total.map(Value.integer) ?? .null,
                .text(progress.activity),
                .integer(id.rawValue),
            ])
    }

    private func forgetLosses(of id: JobID) throws {
        try connection.run("UPDATE jobs SET losses = 0 WHERE job_id = ?", [.integer(id.rawValue)])
    }

    func release(_ lease: JobLease) throws -> Job {
        let job = try held(lease)
        return try step {
            if job.isCancelling {
                try leave(job.id, as: .cancelled)
            } else {
                try wait(job.id, reason: job.reason)
            }
            return try existing(job.id)
        }
    }
}

extension JobLease {
    /// Whether a run is further than the runs before it were. An operation counts anew in each of its phases, so only the numbers
    /// of one phase say that.
    fileprivate func isSurpassed(by progress: OperationProgress) -> Bool {
        guard let previous = job.progress else { return progress.completed > 0 }
        return progress.activity == previous.activity && progress.completed > previous.completed
    }
}
