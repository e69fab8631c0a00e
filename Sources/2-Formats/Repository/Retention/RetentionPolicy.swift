import ValiseEncoding

/// Which snapshots are kept. What one rule keeps is kept.
package struct RetentionPolicy: Sendable, Equatable {
    /// A period of the calendar, in the zone of the snapshot.
    package enum Period: String, Sendable, CaseIterable {
        case hourly, daily, weekly, monthly, yearly
    }

    /// What a count of all is.
    package static let all = -1

    /// So many of the newest ones; ``all``, or 0 for no such rule.
    package var last = 0
    /// The newest one of each of so many periods that have one; ``all`` for all.
    package var counts: [Period: Int] = [:]
    /// All that are newer than the newest one less this.
    package var within = RetentionSpan()
    /// The newest one of each period, of those that are newer than the newest one less this.
    package var periodsWithin: [Period: RetentionSpan] = [:]
    /// Those that have all tags of one of these lists. They count for no other rule.
    package var tags: [[String]] = []

    // MARK: Beyond restic

    /// Snapshots with this tag are incomplete. They take no place of a rule that counts, and are kept until a complete one is
    /// newer; nil treats them as all others.
    package var incompleteTag: String?
    /// All that came within so many days are kept, by the clock of whoever asks.
    package var completeDays = 0

    package init() {}

    /// Whether no rule keeps anything. ``completeDays`` alone is none: what is older would all go.
    package var isEmpty: Bool {
        last == 0 && counts.values.allSatisfy { $0 == 0 } && within.isZero
            && periodsWithin.values.allSatisfy(\.isZero) && tags.allSatisfy(\.isEmpty)
    }
}

extension RetentionPolicy.Period {
    /// A number that two moments of one period share, and no others.
    func number(of time: RecordTime) -> Int64 {
        let local = time.local
        let day = Int64((Double(local.seconds) / 86_400).rounded(.down))
        let date = UTCTime.date(ofDay: day)
        switch self {
        case .hourly: return Int64((Double(local.seconds) / 3600).rounded(.down))
        case .daily: return day
        // Weeks begin on Monday, and 1970 began on a Thursday. A week of ISO 8601 is in one year, so it needs no other number.
        case .weekly: return Int64((Double(day + 3) / 7).rounded(.down))
        case .monthly: return date.year * 12 + date.month
        case .yearly: return date.year
        }
    }
}
