import Valise
import ValiseEncoding

/// The plan or the result of a purge, for the user.
enum MediaPurgeText {
    static func text(_ plan: MediaPurgePlan) -> String {
        var lines = plan.items.map { "\($0.path)  \(Count.bytes($0.size))  \(text($0.reason))" }
        lines.append(
            plan.items.isEmpty
                ? "nothing to purge" : "\(Count.text(plan.items.count, "item")), \(Count.bytes(plan.size))"
        )
        lines += plan.notes.map { "note: \($0.text)" }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func text(_ reason: MediaPurgePlan.Reason) -> String {
        switch reason {
        case .unreferenced: "unreferenced"
        case .temporary: "temporary"
        case .staleWork: "left by an interrupted run of valise"
        case .staleExport: "left by a passphrase change in the app"
        }
    }

    /// The list was shown before.
    static func text(_ report: MediaPurgeReport) -> String {
        guard !report.plan.items.isEmpty else { return "" }
        let amount = "\(Count.text(report.count, "item")), \(Count.bytes(report.size))"
        var lines = [
            report.deletes
                ? "deleted \(amount)" : "moved \(amount) to \(report.folders.joined(separator: " and "))"
        ]
        lines += report.problems.map { "\($0.path): \($0.message)" }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
