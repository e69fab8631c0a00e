import ValiseDatabase

/// The transitions between states; each is one step of a transaction that checked whether it may happen.
extension JobDatabase {
    /// The job may run, from so many milliseconds from now on.
    func wait(_ id: JobID, pause: Int64 = 0, reason: String? = nil) throws {
        try release(id)
        try connection.run(
            """
            UPDATE jobs SET state = 'waiting', cancelling = 0, reason = ?, failed_by = NULL, changed_at = ?, due_boot = ?,
                due_since_boot = ?, due_wall = ?, due_pause = ?
            WHERE job_id = ?
            """,
            [reason.map(Value.text) ?? .null, .integer(wallSeconds)] + due(in: pause) + [
                .integer(id.rawValue)
            ])
    }

    /// The job waits for a user, or has ended. What needs one that ended otherwise than well fails, and so on.
    func leave(_ id: JobID, as state: JobState, reason: String? = nil, failedBy: JobID? = nil) throws {
        try release(id)
        try connection.run(
            "UPDATE jobs SET state = ?, cancelling = 0, reason = ?, failed_by = ?, changed_at = ? WHERE job_id = ?",
            [
                .text(state.rawValue), reason.map(Value.text) ?? .null,
                failedBy.map { .integer($0.rawValue) } ?? .null, .integer(wallSeconds), .integer(id.rawValue),
            ])
        switch state {
        case .finished:
            try connection.run(
                """
                UPDATE jobs SET open_needs = open_needs - 1
                WHERE job_id IN (SELECT job_id FROM job_needs WHERE needed_job_id = ?)
                """, [.integer(id.rawValue)])
        case .failed, .cancelled: try failDependants(of: id)
        case .waiting, .running, .needsUser: break
        }
    }

    /// Not by recursion: chains may be long.
    private func failDependants(of id: JobID) throws {
        var ended = [try existing(id)]
        while let need = ended.popLast() {
            for dependant in try dependants(of: need.id) where !dependant.state.isEnded {
                try end(dependant.id, because: need)
                ended.append(try existing(dependant.id))
            }
        }
    }

    /// The job fails because something that it needs ended otherwise than well. What needs this one is not looked at.
    func end(_ id: JobID, because need: Job) throws {
        let verb = need.state == .cancelled ? "was cancelled" : "failed"
        try connection.run(
            """
            UPDATE jobs SET state = 'failed', reason = ?, failed_by = ?, changed_at = ? WHERE job_id = ?
            """,
            [
                .text("it depends on job \(need.id), which \(verb)"), .integer(need.id.rawValue),
                .integer(wallSeconds),
                .integer(id.rawValue),
            ])
    }

    func dependants(of id: JobID) throws -> [Job] {
        try rows(
            where: "j.job_id IN (SELECT job_id FROM job_needs WHERE needed_job_id = ?) ORDER BY j.job_id",
            [.integer(id.rawValue)]
        ).map(\.job)
    }

    private func release(_ id: JobID) throws {
        try connection.run("DELETE FROM job_leases WHERE job_id = ?", [.integer(id.rawValue)])
    }
}
