import ValiseRepository

/// Which snapshots of each account are kept. What one rule keeps is kept.
package struct SnapshotRules: Sendable, Equatable {
    /// A period of the calendar.
    package enum Period: String, Sendable, CaseIterable {
        case hourly, daily, weekly, monthly, yearly
    }

    /// A duration of the calendar, such as `6y5m234d37h`.
    package struct Span: Sendable, Equatable {
        let span: RetentionSpan

        /// - Returns: nil for what is none.
        package init?(_ text: String) {
            guard let span = RetentionSpan(text: text) else { return nil }
            self.span = span
        }
    }

    /// A count of all.
    package static let all = RetentionPolicy.all

    /// So many of the newest ones; ``all``, or 0 for no such rule.
    package var last = 0
    /// The newest one of each of so many periods.
    package var counts: [Period: Int] = [:]
    /// All that are not older than the newest one by more than this.
    package var within: Span?
    /// The newest one of each period of this.
    package var periodsWithin: [Period: Span] = [:]
    /// Those that have all tags of one of these lists.
    package var tags: [[String]] = []

    package init() {}

    /// With what is never forgotten by a count: incomplete snapshots take no place of complete ones.
    var policy: RetentionPolicy {
        var policy = RetentionPolicy()
        policy.last = last
        for (period, count) in counts { policy.counts[period.inPolicy] = count }
        if let within { policy.within = within.span }
        for (period, within) in periodsWithin { policy.periodsWithin[period.inPolicy] = within.span }
        policy.tags = tags
        policy.incompleteTag = "partial"
        return policy
    }
}

extension SnapshotRules.Period {
    fileprivate var inPolicy: RetentionPolicy.Period {
        switch self {
        case .hourly: .hourly
        case .daily: .daily
        case .weekly: .weekly
        case .monthly: .monthly
        case .yearly: .yearly
        }
    }
}
