import ValiseDatabase
import ValiseFailures

extension JobDatabase {
    func cancel(_ id: JobID) throws -> Job {
        let row = try row(id)
        try step {
            switch row.job.state {
            case .finished, .failed, .cancelled: break
            case .waiting, .needsUser: try leave(id, as: .cancelled)
            case .running where row.job.isLeft: try leave(id, as: .cancelled)
            case .running:
                try connection.run("UPDATE jobs SET cancelling = 1 WHERE job_id = ?", [.integer(id.rawValue)])
            }
        }
        return try existing(id)
    }

    func resume(_ id: JobID) throws -> Job {
        let job = try existing(id)
        switch job.state {
        case .waiting, .needsUser: break
        case .running where job.isLeft: break
        case .running: throw JobQueueError.wrongState(id, "the job is already running")
        case .finished: throw JobQueueError.wrongState(id, "the job has finished")
        case .failed, .cancelled:
            throw JobQueueError.wrongState(id, "the job has ended", remedy: .retryJob(id.rawValue))
        }
        try step { try startAnew(id) }
        return try existing(id)
    }

    func retry(_ id: JobID) throws -> Job {
        let job = try existing(id)
        guard job.state == .failed || job.state == .cancelled else {
            throw JobQueueError.wrongState(id, "only failed or cancelled jobs can be retried")
        }
        if let need = try endedNeed(of: id) {
            throw JobQueueError.wrongState(
                id, "the job depends on job \(need), which has ended", remedy: .retryJob(need.rawValue))
        }
        if let other = try open(job.kind, job.uniqueKey) {
            throw JobQueueError(
                .sameKey, .alreadyExists,
                "job \(other) does the same and has not ended. This job is unchanged.",
                subject: "job \(id)")
        }
        try step {
            try startAnew(id)
            var revived = [id]
            while let need = revived.popLast() { revived += try reviveDependants(of: need) }
        }
        return try existing(id)
    }

    /// What failed because of this job waits again, where nothing else keeps it from that.
    private func reviveDependants(of id: JobID) throws -> [JobID] {
        var revived: [JobID] = []
        for job in try dependants(of: id) where job.state == .failed && job.failedBy == id {
            if let other = try endedNeed(of: job.id) {
                try end(job.id, because: try existing(other))
            } else if try open(job.kind, job.uniqueKey) == nil {
                try startAnew(job.id)
                revived.append(job.id)
            }
        }
        return revived
    }

    /// Something that the job needs and that ended otherwise than well.
    private func endedNeed(of id: JobID) throws -> JobID? {
        try value(
            """
            SELECT min(needed_job_id) FROM job_needs n JOIN jobs j ON j.job_id = n.needed_job_id
            WHERE n.job_id = ? AND j.state IN ('failed', 'cancelled')
            """, [.integer(id.rawValue)]
        ).map(JobID.init(rawValue:))
    }

    /// All tries again, from now on.
    private func startAnew(_ id: JobID) throws {
        try connection.run(
            "UPDATE jobs SET attempts = 0, losses = 0 WHERE job_id = ?", [.integer(id.rawValue)])
        try wait(id)
    }

    func remove(_ id: JobID) throws {
        let job = try existing(id)
        guard job.state.isEnded else {
            throw JobQueueError.wrongState(id, "the job has not ended", remedy: .cancelJob(id.rawValue))
        }
        if let other = try dependants(of: id).first {
            throw JobQueueError.wrongState(
                id, "job \(other.id) depends on this one", remedy: .removeJob(other.id.rawValue))
        }
        try step { try connection.run("DELETE FROM jobs WHERE job_id = ?", [.integer(id.rawValue)]) }
    }

    func removeEnded(olderThan age: Duration) throws -> Int {
        let (limit, _) = wallSeconds.subtractingReportingOverflow(age.milliseconds / 1000)
        // What needs a job has a higher number: from above, one pass finds all.
        let ended = try connection.rows(
            """
            SELECT job_id FROM jobs
            WHERE state IN ('finished', 'cancelled') AND changed_at <= ?
            ORDER BY job_id DESC
            """, [.integer(limit)])
        return try step {
            var count = 0
            for row in ended {
                guard
                    try !connection.hasRow(
                        "SELECT 1 FROM job_needs WHERE needed_job_id = ? LIMIT 1", row)
                else { continue }
                try connection.run("DELETE FROM jobs WHERE job_id = ?", row)
                count += 1
            }
            return count
        }
    }
}
