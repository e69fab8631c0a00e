import ValiseDatabase
import ValiseEncoding

extension JobDatabase {
    /// Writes a job, or finds the one that is there.
    func insert(_ request: JobRequest) throws -> JobID {
        try check(request)
        if let id = try open(request.kind, request.uniqueKey) { return id }
        let needs = Set(request.needs).sorted()
        let states = try needs.map { try existing($0) }
        return try step {
            try connection.run(
                """
                INSERT INTO jobs (kind, title, payload, unique_key, queue, priority, most_attempts, open_needs, due_boot,
                    due_since_boot, due_wall, due_pause, created_at, changed_at)
                VALUES (?, ?, ?, ?, ?, 0, ?, ?, NULL, 0, 0, 0, ?, ?)
                """,
                [
                    .text(request.kind), .text(request.title), .blob(request.payload),
                    request.uniqueKey.map(Value.text) ?? .null, .text(request.queue.rawValue),
                    .integer(Int64(request.mostAttempts)),
                    .integer(Int64(states.count { $0.state != .finished })), .integer(wallSeconds),
                    .integer(wallSeconds),
                ])
            let id = JobID(rawValue: connection.lastInsertedRow)
            for need in needs {
                try connection.run(
                    "INSERT INTO job_needs (job_id, needed_job_id) VALUES (?, ?)",
                    [.integer(id.rawValue), .integer(need.rawValue)])
            }
            if let ended = states.first(where: { $0.state.isEnded && $0.state != .finished }) {
                try end(id, because: ended)
            }
            return id
        }
    }

    private func check(_ request: JobRequest) throws {
        guard !request.kind.isEmpty else {
            throw JobQueueError.invalid("a job needs a kind")
        }
        guard request.mostAttempts > 0 else {
            throw JobQueueError.invalid("a job needs at least one attempt")
        }
        try check(request.payload, "payload")
    }

    func check(_ bytes: [UInt8], _ name: String) throws {
        guard bytes.count <= JobRequest.mostBytes else {
            let (size, limit) = Count.bytes(Int64(bytes.count), and: Int64(JobRequest.mostBytes))
            throw JobQueueError.invalid("the \(name) has \(size); the limit is \(limit)")
        }
    }

    /// The job of this key that has not ended.
    func open(_ kind: String, _ uniqueKey: String?) throws -> JobID? {
        guard let uniqueKey else { return nil }
        return try value(
            """
            SELECT job_id FROM jobs
            WHERE kind = ? AND unique_key = ? AND state IN ('waiting', 'running', 'needsPerson')
            """, [.text(kind), .text(uniqueKey)]
        ).map(JobID.init(rawValue:))
    }

    /// When a job may run that pauses so many milliseconds from now: boot, time since it, wall, pause.
    func due(in pause: Int64) -> [Value] {
        // At once, in every boot.
        guard pause > 0 else { return [.null, 0, 0, 0] }
        return [
            .text(time.boot), .integer(time.sinceBoot + pause), .integer(time.wall + pause), .integer(pause),
        ]
    }
}
