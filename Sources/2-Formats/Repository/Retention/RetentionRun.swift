import ValiseStorage

/// The rules on one group, from the newest snapshot to the oldest one.
struct RetentionRun {
    /// A rule that counts.
    private struct Rule {
        /// Nil for the newest ones.
        let period: RetentionPolicy.Period?
        /// Places that are left; -1 for all.
        var left: Int
        var last: Int64?
    }

    private let policy: RetentionPolicy
    private let now: RecordTime
    private let snapshots: [RetentionCandidate]
    private let suspicious: Set<ContentID>
    private var rules: [Rule]
    private var lastWithin: [RetentionPolicy.Period: Int64] = [:]

    /// - Parameter members: of one group, in any order.
    init(_ members: [RetentionCandidate], _ policy: RetentionPolicy, now: RecordTime) {
        self.policy = policy
        self.now = now
        // Those that came at the same moment are ordered by what they say, then by name, so that a plan is the same each time.
        snapshots = members.sorted {
            let (left, right) = (($0.moment.utc, $0.time.utc), ($1.moment.utc, $1.time.utc))
            return left != right ? left > right : $0.id < $1.id
        }
        suspicious = Self.suspicious(snapshots, now: now)
        rules = [Rule(period: nil, left: policy.last)]
        rules += RetentionPolicy.Period.allCases.map { Rule(period: $0, left: policy.counts[$0] ?? 0) }
    }

    /// Those that cannot have been made when they say: later than now, or earlier than what had come before them.
    private static func suspicious(_ snapshots: [RetentionCandidate], now: RecordTime) -> Set<ContentID> {
        var found: Set<ContentID> = []
        var newest: RecordTime?
        for snapshot in snapshots.reversed() where snapshot.arrival != nil {
            let isLate = newest.map { $0.isAfter(snapshot.time) } ?? false
            let isEarly = snapshot.time.seconds > now.seconds + Retention.toleratedAdvance
            if isLate || isEarly {
                found.insert(snapshot.id)
            } else {
                newest = snapshot.time
            }
        }
        return found
    }

    private func counts(_ snapshot: RetentionCandidate) -> Bool {
        !suspicious.contains(snapshot.id) && !isIncomplete(snapshot)
    }

    private func isIncomplete(_ snapshot: RetentionCandidate) -> Bool {
        policy.incompleteTag.map(snapshot.tags.contains) ?? false
    }

    /// Both from the newest one on.
    mutating func result() -> (kept: [RetentionPlan.Kept], forgotten: [RetentionCandidate]) {
        var kept: [RetentionPlan.Kept] = []
        var forgotten: [RetentionCandidate] = []
        let counted = snapshots.filter(counts)
        // Snapshots of the future do not move the beginning of what is within a duration.
        let newest = counted.first { !$0.moment.isAfter(now) }?.moment
        var hasComplete = false
        for snapshot in snapshots {
            var reasons = reasonsWithoutCount(snapshot, newest, hasComplete)
            if counts(snapshot) {
                hasComplete = true
                reasons += count(snapshot, isOldest: snapshot.id == counted.last?.id)
                reasons += countWithin(snapshot, newest, isOldest: snapshot.id == counted.last?.id)
            }
            if reasons.isEmpty {
                forgotten.append(snapshot)
            } else {
                kept.append(RetentionPlan.Kept(snapshot: snapshot, reasons: reasons))
            }
        }
        return (kept, forgotten)
    }

    private func reasonsWithoutCount(
        _ snapshot: RetentionCandidate, _ newest: RecordTime?, _ hasComplete: Bool
    ) -> [RetentionPlan.Reason] {
        var reasons: [RetentionPlan.Reason] = []
        if suspicious.contains(snapshot.id) { reasons.append(.suspicious) }
        if isIncomplete(snapshot), !hasComplete { reasons.append(.incomplete) }
        if policy.completeDays > 0,
            snapshot.moment.utc > RetentionSpan(days: policy.completeDays).before(now)
        {
            reasons.append(.recent)
        }
        reasons += policy.tags.filter { !$0.isEmpty && $0.allSatisfy(snapshot.tags.contains) }.map {
            .tags($0)
        }
        if isWithin(snapshot, policy.within, newest) { reasons.append(.within(policy.within)) }
        return reasons
    }

    /// Strictly: what is exactly so old is outside. Where all are in the future, all are within.
    private func isWithin(
        _ snapshot: RetentionCandidate, _ span: RetentionSpan, _ newest: RecordTime?
    ) -> Bool {
        guard !span.isZero else { return false }
        return newest.map { snapshot.moment.utc > span.before($0) } ?? true
    }

    private mutating func count(_ snapshot: RetentionCandidate, isOldest: Bool) -> [RetentionPlan.Reason] {
        var reasons: [RetentionPlan.Reason] = []
        for place in rules.indices where rules[place].left != 0 {
            let number = rules[place].period?.number(of: snapshot.moment)
            let isNew = number == nil || number != rules[place].last
            // The oldest one makes the history as long as it can be while places are left.
            guard isNew || isOldest else { continue }
            rules[place].last = number
            if rules[place].left > 0 { rules[place].left -= 1 }
            let period = rules[place].period
            reasons.append(isNew ? period.map { .period($0) } ?? .last : .oldest(period))
        }
        return reasons
    }

    private mutating func countWithin(
        _ snapshot: RetentionCandidate, _ newest: RecordTime?, isOldest: Bool
    ) -> [RetentionPlan.Reason] {
        var reasons: [RetentionPlan.Reason] = []
        for period in RetentionPolicy.Period.allCases {
            guard let span = policy.periodsWithin[period], isWithin(snapshot, span, newest) else { continue }
            let number = period.number(of: snapshot.moment)
            let isNew = number != lastWithin[period]
            guard isNew || isOldest else { continue }
            lastWithin[period] = number
            reasons.append(isNew ? .periodWithin(period, span) : .oldestWithin(period, span))
        }
        return reasons
    }
}

extension RetentionCandidate {
    /// The moment that the rules go by.
    fileprivate var moment: RecordTime { arrival ?? time }
}
