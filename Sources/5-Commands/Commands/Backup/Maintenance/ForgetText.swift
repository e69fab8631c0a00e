import Valise
import ValiseEncoding
import ValiseTerminal

/// Which snapshots are removed, and which were, for the user.
enum ForgetText {
    static func text(_ plan: PlannedForgetting) -> String {
        var lines = plan.groups.flatMap(text)
        if plan.removedCount == 0 { lines.append("no snapshot to remove") }
        if let prune = plan.prune { lines.append(PruneText.text(prune)) }
        return lines.map(\.withoutControlsInLines).joined(separator: "\n")
    }

    /// - Returns: nothing for a group without snapshots.
    private static func text(_ group: PlannedForgetting.Group) -> [String] {
        let host = group.hostname.isEmpty ? "" : " on \(group.hostname)"
        let head =
            "\(group.paths.joined(separator: ", "))\(host): keep \(group.kept.count), "
            + "remove \(group.removed.count)"
        let kept = group.kept.map { "  keep    \(text($0))  \(($0.reasons ?? []).joined(separator: ", "))" }
        return [head] + kept.map(\.trimmed) + group.removed.map { "  remove  \(text($0))" }
    }

    private static func text(_ snapshot: PlannedForgetting.Snapshot) -> String {
        let tags = snapshot.tags.isEmpty ? "" : "  [\(snapshot.tags.joined(separator: ", "))]"
        return "\(snapshot.snapshot.prefix(8))  \(snapshot.time)\(tags)"
    }

    static func text(_ report: ForgottenSnapshots) -> String {
        var lines = [
            report.removed.isEmpty && report.failed.isEmpty
                ? "no snapshot to remove" : "removed \(Count.text(report.removed.count, "snapshot"))"
        ]
        lines += report.failed.map { "\($0.snapshot.prefix(8)): \($0.message)" }
        if let pruned = report.pruned { lines.append(PruneText.text(pruned)) }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}

extension String {
    /// Without spaces at its end.
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
