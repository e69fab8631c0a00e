import ValiseDatabase
import ValiseEncoding

/// Jobs whose workers are gone, or stopped although nobody asked them to.
extension JobDatabase {
    /// Gives back every running job that is nobody's.
    func releaseLost() throws {
        for standing in try standings(where: "j.state = 'running'") where standing.isLeft {
            try step { try releaseLost(standing) }
        }
    }

    /// The first two times at once: that a machine stops is no fault of the job. One whose worker goes again and again without
    /// getting anywhere, for it may be what kills it, has to pause, and longer each time.
    private func releaseLost(_ job: JobStanding) throws {
        guard !job.isCancelling else { return try leave(job.id, as: .cancelled) }
        let losses = try countLoss(of: job)
        let pause = hasToPause(losses: losses) ? settings.pause(afterAttempts: losses - Self.freeLosses) : 0
        let reason =
            hasToPause(losses: losses)
            ? "its worker died or stopped \(Count.text(losses, "time")) before making progress" : job.reason
        try wait(job.id, pause: pause, reason: reason)
    }

    /// Counted as a loss: a handler that always stops at once would otherwise be run for ever at the same pace.
    func pause(_ lease: JobLease) throws -> Job {
        let job = try held(lease)
        return try step {
            if job.isCancelling {
                try leave(job.id, as: .cancelled)
            } else {
                let losses = try countLoss(of: job)
                try wait(job.id, pause: settings.pause(afterAttempts: losses), reason: job.reason)
            }
            return try existing(job.id)
        }
    }

    private func countLoss(of job: JobStanding) throws -> Int {
        let losses = job.losses + 1
        try connection.run(
            "UPDATE jobs SET losses = ? WHERE job_id = ?",
            [.integer(Int64(losses)), .integer(job.id.rawValue)])
        return losses
    }

    private static let freeLosses = 2

    private func hasToPause(losses: Int) -> Bool { losses > Self.freeLosses }

    /// Whether a job can run at once that ``releaseLost()`` would give back now.
    func runsAgain(afterLossOf job: JobStanding) -> Bool {
        job.isLeft && !job.isCancelling && !hasToPause(losses: job.losses + 1)
    }
}
