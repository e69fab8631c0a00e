package import ValiseAccountArchives
import ValiseEncoding

/// How two accounts that were compared are related.
package struct RelationText {
    private let report: ComparisonReport

    package init(report: ComparisonReport) { self.report = report }

    /// A is the first account, B the second.
    package var sentence: String {
        let first = report.messages?.first.only ?? 0
        let second = report.messages?.second.only ?? 0
        switch report.relation {
        case .identical:
            return "A and B are the same account in the same state" + files
        case .sameMessages: return "same messages; other data differs" + laterNote
        case .changedMessages:
            return "same messages, \(report.messages?.changed ?? 0) of them changed" + laterNote
        case .secondContinues: return continuation("B", "A", more: second, gone: first)
        case .firstContinues: return continuation("A", "B", more: first, gone: second)
        case .secondHasMore:
            return surplus("B", "A", more: second, newer: report.messages?.newerInSecond ?? 0)
        case .firstHasMore:
            return surplus("A", "B", more: first, newer: report.messages?.newerInFirst ?? 0)
        case .diverged:
            return "A and B have diverged: \(messages(first)) only in A, \(messages(second)) only in B"
        case .differentAccounts: return "A and B are different accounts"
        case .unknown:
            return "cannot tell how A and B are related: messages not compared"
        }
    }

    /// Other differences if all rows are the same.
    private var files: String {
        let others = report.entries.filter { $0.role != .database }
        let differ = others.contains {
            !$0.onlyInFirst.isEmpty || !$0.onlyInSecond.isEmpty || !$0.different.isEmpty
        }
        let unread = report.unreadable
        return (differ ? ", but with different files" : "")
            + (unread > 0 ? "; \(Count.text(unread, "file")) unreadable" : "")
    }

    private var laterNote: String {
        switch report.later {
        case .first: "; A is newer"
        case .second: "; B is newer"
        case .both: "; both have changed since they split"
        case .unknown: ""
        }
    }

    /// One has more messages, for an unknown reason.
    private func surplus(_ larger: String, _ smaller: String, more: Int, newer: Int) -> String {
        let age = newer == 0 ? "none of them newer" : newer == more ? "all newer" : "\(newer) of them newer"
        let reason =
            newer == 0
            ? "they were deleted in \(smaller) or added to \(larger)"
            : "\(larger) continues \(smaller), or they were deleted in \(smaller)"
        return "\(larger) has all messages of \(smaller) and \(more) more, \(age): \(reason)"
    }

    private func continuation(_ later: String, _ earlier: String, more: Int, gone: Int) -> String {
        let start = "\(later) continues \(earlier): "
        guard gone > 0 else { return start + "it has all messages of \(earlier) and \(more) more" }
        let added = more == 0 ? "no new messages" : Count.text(more, "new message")
        return start + "\(added), \(messages(gone)) of \(earlier) deleted"
    }

    private func messages(_ count: Int) -> String { Count.text(count, "message") }
}
