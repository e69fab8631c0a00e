package import ValiseStorage

/// A snapshot as the rules see it.
package struct RetentionCandidate: Sendable, Equatable {
    package let id: ContentID
    package let time: RecordTime
    package let hostname: String
    package let paths: [String]
    package let tags: [String]
    /// When this client first saw it, by its journal; nil where it keeps none. With it the rules do not believe ``time``.
    package var arrival: RecordTime?

    package init(id: ContentID, _ record: SnapshotRecord, arrival: RecordTime? = nil) {
        self.id = id
        time = record.time
        hostname = record.hostname
        paths = record.paths
        tags = record.tags
        self.arrival = arrival
    }
}

/// What would be kept and what would be forgotten, by groups.
package struct RetentionPlan: Sendable {
    /// Why a snapshot is kept.
    package enum Reason: Sendable, Hashable {
        /// One of the newest ones.
        case last
        /// The newest one of a period.
        case period(RetentionPolicy.Period)
        /// The oldest one of all, while a rule has places left; nil for ``last``.
        case oldest(RetentionPolicy.Period?)
        case within(RetentionSpan)
        case periodWithin(RetentionPolicy.Period, RetentionSpan)
        /// The oldest one of all, where it is within.
        case oldestWithin(RetentionPolicy.Period, RetentionSpan)
        case tags([String])
        /// Incomplete, and no complete one is newer.
        case incomplete
        /// It came within the days that are kept completely.
        case recent
        /// Its time contradicts the order in which snapshots came, or is in the future. It counts for no rule, and only a user
        /// can decide about it.
        case suspicious
    }

    /// A snapshot that is kept.
    package struct Kept: Sendable {
        package let snapshot: RetentionCandidate
        package let reasons: [Reason]
    }

    /// Snapshots that are compared with each other: those of one machine and the same paths.
    package struct Group: Sendable {
        package let hostname: String
        package let paths: [String]
        /// The newest one first.
        package let kept: [Kept]
        /// The newest one first.
        package let forgotten: [RetentionCandidate]
    }

    /// By host, then by paths.
    package let groups: [Group]

    /// Whether nothing of a group would be kept.
    package var emptiesGroup: Bool { groups.contains { $0.kept.isEmpty } }
}
