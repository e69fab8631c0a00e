import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
package import ValiseFailures
import ValiseRepository
import ValiseStorage

extension BackupRun {
    /// So many problems of an account are listed.
    private static let mostLines = 20

    /// Some lines for each account.
    ///
    /// - Parameters:
    ///   - isDryRun: whether nothing was stored.
    ///   - remedies: the words for remedies.
    package func text(isDryRun: Bool, _ remedies: RemedyWords) -> String {
        var lines = accounts.flatMap { Self.lines($0, isDryRun, remedies) }
        lines += repositoryProblems.map { "repository: \($0)" }
        if accounts.count > 1 { lines.append("took \(Seconds.text(duration / .seconds(1)))") }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func lines(_ account: Account, _ isDryRun: Bool, _ remedies: RemedyWords) -> [String] {
        if let failure = account.failure {
            let remark = Remark(failure.message, remedy: failure.remedy)
            return ["\(account.name): not backed up: \(remark.text(remedies))"]
        }
        guard let report = account.snapshot else { return [] }
        let files = report.files
        let head = report.snapshot.map { "snapshot \($0)" } ?? "would make a snapshot"
        var lines = [
            "\(account.name): \(head)" + (report.parent == nil ? ", the first one" : "")
                + (report.isPartial ? ", partial" : ""),
            "  \(Count.text(files.total, "file")), \(Count.bytes(report.totalSize)): \(files.new) new, "
                + "\(files.changed) changed, \(files.unchanged) unchanged",
            "  \(isDryRun ? "would store" : "stored") \(Count.bytes(report.addedSize)) of new content"
                + (report.storedSize.map { " as \(Count.bytes($0))" } ?? "")
                + " in \(Seconds.text(report.duration / .seconds(1)))",
        ]
        if let session = report.session { lines.append("  \(BackedUpSession(session).text)") }
        lines += report.problems.prefix(mostLines).map { "  \($0.entry): \($0.reason.text(remedies))" }
        if report.problems.count > mostLines {
            lines.append("  and \(report.problems.count - mostLines) more")
        }
        if !report.leftOut.isEmpty {
            let count = Count.text(report.leftOut.count, "entry")
            lines.append("  left out: \(count) (no regular files, or names that are not UTF-8)")
        }
        return lines
    }
}
