import Valise
import ValiseEncoding

/// What a prune would do, and what it did, for the user.
enum PruneText {
    static func text(_ plan: PlannedPrune) -> String {
        var lines = [
            "used: \(Count.text(plan.used.count, "blob")), \(Count.bytes(plan.used.bytes)); unused: "
                + "\(Count.text(plan.unused.count, "blob")), \(Count.bytes(plan.unused.bytes))"
        ]
        let actions: [(String, PlannedPrune.Packs)] = [
            ("remove", plan.removed), ("remove, in no index,", plan.unindexed), ("repack", plan.repacked),
            ("leave for a later prune", plan.spared),
        ]
        for (action, packs) in actions where packs.count > 0 {
            lines.append("\(action) \(Count.text(packs.count, "pack")), \(Count.bytes(packs.bytes))")
        }
        lines.append(plan.isEmpty ? "no data to remove" : "free about \(Count.bytes(plan.freed))")
        return lines.joined(separator: "\n")
    }

    static func text(_ report: PrunedRepository) -> String {
        guard !report.plan.isEmpty else { return "no data to remove" }
        let written =
            report.writtenPacks > 0
            ? ", wrote \(Count.text(report.writtenPacks, "pack")) (\(Count.bytes(report.writtenBytes)))" : ""
        return "removed \(Count.text(report.removedPacks, "pack"))\(written); freed about "
            + Count.bytes(report.plan.freed)
    }
}
