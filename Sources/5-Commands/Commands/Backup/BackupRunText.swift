import Valise
import ValiseEncoding

/// What a run stored, for a user.
struct BackupRunText {
    let report: BackupRun
    var isDryRun = false

    var text: String {
        var lines = report.accounts.flatMap(lines)
        lines += report.repositoryProblems.map { "repository: \($0)" }
        if report.accounts.count > 1 { lines.append("took \(Seconds.text(report.duration / .seconds(1)))") }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func lines(_ account: BackupRun.Account) -> [String] {
        if let failure = account.failure {
            let text = Remark(failure.message, remedy: failure.remedy).text(RemedyText.words)
            return ["\(account.name): not backed up: \(text)"]
        }
        guard let snapshot = account.snapshot else { return [] }
        let files = snapshot.files
        let verb = isDryRun ? "would store" : "stored"
        var lines = [
            "\(account.name): " + (snapshot.snapshot.map { "snapshot \($0)" } ?? "would make a snapshot")
                + (snapshot.isPartial ? ", partial" : "") + (snapshot.parent == nil ? ", the first one" : ""),
            "  \(Count.text(files.total, "file")), \(Count.bytes(snapshot.totalSize)): \(files.new) new, "
                + "\(files.changed) changed, \(files.unchanged) unchanged",
            "  \(verb) \(Count.bytes(snapshot.addedSize)) of new content"
                + (snapshot.storedSize.map { " as \(Count.bytes($0))" } ?? "")
                + " in \(Seconds.text(snapshot.duration / .seconds(1)))",
        ]
        lines += FirstLines.of(snapshot.problems, of: snapshot.problems.count) {
            "\($0.entry): \($0.reason.text(RemedyText.words))"
        }
        if !snapshot.leftOut.isEmpty {
            lines.append("  \(Count.text(snapshot.leftOut.count, "entry")) left out, such as links")
        }
        return lines
    }
}
