import ValiseDatabase

extension JobDatabase {
    /// The rows for which a condition on `j` and `l` holds.
    func rows(where condition: String, _ values: [Value] = []) throws -> [JobRow] {
        let statement = try connection.prepare("\(JobRow.query) WHERE \(condition)")
        try statement.bind(values)
        var rows: [JobRow] = []
        while try statement.step() { rows.append(try JobRow(statement, at: time, processes)) }
        return rows
    }

    /// The same of ``JobStanding``.
    func standings(where condition: String, _ values: [Value] = []) throws -> [JobStanding] {
        let statement = try connection.prepare("\(JobStanding.query) WHERE \(condition)")
        try statement.bind(values)
        var standings: [JobStanding] = []
        while try statement.step() { standings.append(try JobStanding(statement, at: time, processes)) }
        return standings
    }

    func standing(_ id: JobID) throws -> JobStanding? {
        try standings(where: "j.job_id = ?", [.integer(id.rawValue)]).first
    }

    func row(_ id: JobID) throws -> JobRow {
        guard let row = try rows(where: "j.job_id = ?", [.integer(id.rawValue)]).first else {
            throw JobQueueError.noSuchJob(id)
        }
        return row
    }

    func existing(_ id: JobID) throws -> Job { try row(id).job }

    func job(_ id: JobID) throws -> Job? {
        try rows(where: "j.job_id = ?", [.integer(id.rawValue)]).first?.job
    }

    func jobs(_ filter: JobFilter) throws -> [Job] {
        var conditions = ["1"]
        var values: [Value] = []
        func allow(_ column: String, _ names: [String]?) {
            guard let names else { return }
            conditions.append("\(column) IN (\(names.map { _ in "?" }.joined(separator: ", ")))")
            values += names.map(Value.text)
        }
        allow("j.state", filter.states.map { $0.map(\.rawValue) })
        allow("j.kind", filter.kinds.map(Array.init))
        allow("j.unique_key", filter.uniqueKey.map { [$0] })
        return try rows(where: conditions.joined(separator: " AND ") + " ORDER BY j.job_id", values).map(
            \.job)
    }

    func counts(kinds: Set<String>?) throws -> JobCounts {
        var byState: [JobState: Int] = [:]
        let names = (kinds ?? []).map(Value.text)
        let isAsked = kinds == nil ? "1" : "kind IN (\(names.map { _ in "?" }.joined(separator: ", ")))"
        let found = try connection.rows(
            "SELECT state, count(*) FROM jobs WHERE \(isAsked) GROUP BY state", names)
        for row in found {
            guard let state = row[0].text.flatMap(JobState.init(rawValue:)), let count = row[1].integer
            else { continue }
            byState[state] = Int(clamping: count)
        }
        let left = try standings(where: "j.state = 'running' AND \(isAsked)", names).count { $0.isLeft }
        return JobCounts(byState: byState, left: left)
    }
}
