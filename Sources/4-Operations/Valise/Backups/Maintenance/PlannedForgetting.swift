import ValiseConcurrency
import ValiseRepository
import ValiseStorage

/// Which snapshots would be removed, and why others are kept.
public struct PlannedForgetting: OperationReport {
    /// A snapshot.
    package struct Snapshot: Sendable, Encodable, Equatable {
        package let snapshot: String
        /// With the zone of its machine.
        package let time: String
        package let tags: [String]
        /// Why it is kept, such as `daily`; nil for one that is removed.
        package let reasons: [String]?

        init(_ candidate: RetentionCandidate, _ reasons: [RetentionPlan.Reason]? = nil) {
            snapshot = candidate.id.text
            time = candidate.time.text
            tags = candidate.tags
            self.reasons = reasons?.map(\.text)
        }
    }

    /// The snapshots of one account of one machine.
    package struct Group: Sendable, Encodable, Equatable {
        package let hostname: String
        package let paths: [String]
        /// The newest one first.
        package let kept: [Snapshot]
        /// The newest one first.
        package let removed: [Snapshot]
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// The repository's own ID, in hexadecimal digits.
    package let repository: String
    package let groups: [Group]
    /// What is done with the data that no snapshot uses then; nil where it stays.
    package let prune: PlannedPrune?

    /// How many are removed.
    package var removedCount: Int { groups.reduce(0) { $0 + $1.removed.count } }
    /// Accounts of which no snapshot would be left.
    package var emptied: [Group] { groups.filter { $0.kept.isEmpty && !$0.removed.isEmpty } }
    /// Whether there is nothing to do.
    package var isEmpty: Bool { removedCount == 0 && prune?.isEmpty ?? true }
}

/// What was removed.
package struct ForgottenSnapshots: OperationReport {
    /// A snapshot that is still there.
    package struct Failed: Sendable, Encodable, Equatable {
        package let snapshot: String
        package let message: String
    }

    /// As it was planned.
    package let plan: PlannedForgetting
    package internal(set) var removed: [String] = []
    package internal(set) var failed: [Failed] = []
    /// Nil where data stays.
    package internal(set) var pruned: PrunedRepository?

    init(_ plan: PlannedForgetting) { self.plan = plan }

    package var entryFailures: [EntryFailure] {
        failed.map { EntryFailure($0.snapshot, Remark($0.message)) }
    }
}

extension RetentionPlan.Reason {
    /// For a user.
    fileprivate var text: String {
        switch self {
        case .last: "last"
        case .period(let period): period.rawValue
        case .oldest(let period): "oldest\(period.map { " \($0.rawValue)" } ?? "")"
        case .within(let span): "within \(span.text)"
        case .periodWithin(let period, let span): "\(period.rawValue) within \(span.text)"
        case .oldestWithin(let period, let span): "oldest \(period.rawValue) within \(span.text)"
        case .tags(let tags): "tags \(tags.joined(separator: ","))"
        case .incomplete: "incomplete, and no complete one is newer"
        case .recent: "recent"
        case .suspicious: "dated in the future"
        }
    }
}
