import ValiseRepository
import ValiseStorage

extension ForgetSnapshots {
    /// What the rules keep and remove.
    /// - Throws: `RepositoryError`.
    func byRules(_ opened: OpenedRepository) throws -> [PlannedForgetting.Group] {
        // The end of this second: what was made in it is not of the future.
        let now = RecordTime(seconds: clock(), nanoseconds: 999_999_999)
        let chosen = opened.snapshots.filter(isMeant)
        let candidates = chosen.map { snapshot in
            // Whoever can only add snapshots could date them ahead, to have true ones forgotten.
            let isAhead = snapshot.record.time.isAfter(now)
            return RetentionCandidate(id: snapshot.id, snapshot.record, arrival: isAhead ? now : nil)
        }
        return try Retention.plan(candidates, rules.policy, now: now).groups.map { group in
            PlannedForgetting.Group(
                hostname: group.hostname, paths: group.paths,
                kept: group.kept.map { .init($0.snapshot, $0.reasons) },
                removed: group.forgotten.map { .init($0) })
        }
    }

    private func isMeant(_ snapshot: StoredSnapshot) -> Bool {
        let record = snapshot.record
        let hasTags = tags.isEmpty || tags.contains { $0.allSatisfy(record.tags.contains) }
        return hasTags && (hosts.isEmpty || hosts.contains(record.hostname))
    }

    /// Those that are named, among all of their accounts.
    /// - Throws: `RepositoryError`.
    func byNames(_ opened: OpenedRepository) throws -> [PlannedForgetting.Group] {
        let meant = Set(try named.map { try opened.snapshot($0).id })
        return opened.accounts.compactMap { account in
            guard account.snapshots.contains(where: { meant.contains($0.id) }) else { return nil }
            let all = account.snapshots.reversed().map { RetentionCandidate(id: $0.id, $0.record) }
            return PlannedForgetting.Group(
                hostname: account.hostname, paths: account.paths,
                kept: all.filter { !meant.contains($0.id) }.map { .init($0, []) },
                removed: all.filter { meant.contains($0.id) }.map { .init($0) })
        }
    }
}
