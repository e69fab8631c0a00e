import ValiseStorage

/// Applies a policy to snapshots: a calculation without a repository.
package enum Retention {
    /// How far the clock of another machine may be ahead, in seconds.
    static let toleratedAdvance: Int64 = 15 * 60

    /// What a policy keeps.
    ///
    /// Snapshots are grouped by host and paths. Without arrivals the rules are those of restic. With them (``RetentionCandidate``)
    /// moments are those of the arrival: whoever can only add snapshots, as to a server that keeps everything, writes false times
    /// to have true snapshots forgotten. Such snapshots are suspicious, and count for nothing.
    ///
    /// - Parameters:
    ///   - snapshots: all of the repository, in any order.
    ///   - policy: not empty.
    ///   - now: by the clock of the system.
    /// - Throws: ``RepositoryError``, `invalid`, for a policy that keeps nothing.
    package static func plan(
        _ snapshots: [RetentionCandidate], _ policy: RetentionPolicy, now: RecordTime
    ) throws(RepositoryError) -> RetentionPlan {
        guard !policy.isEmpty else {
            throw RepositoryError(
                .invalid, "no rule says which snapshots are kept. All snapshots are intact.")
        }
        var groups: [[String]: [RetentionCandidate]] = [:]
        for snapshot in snapshots {
            groups[[snapshot.hostname] + snapshot.paths.sorted(), default: []].append(snapshot)
        }
        let sorted = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return RetentionPlan(
            groups: sorted.map { key, members in
                var run = RetentionRun(members, policy, now: now)
                let (kept, forgotten) = run.result()
                return RetentionPlan.Group(
                    hostname: key[0], paths: Array(key.dropFirst()), kept: kept, forgotten: forgotten)
            })
    }
}
