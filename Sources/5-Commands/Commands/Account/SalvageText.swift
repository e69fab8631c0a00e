import Valise
import ValiseEncoding
import ValiseTerminal

/// The result of a salvage, for the user.
struct SalvageText {
    let report: SalvageReport
    let isDryRun: Bool
    /// For a salt that may be damaged; nil where other salts were tried.
    let repair: [Hint]?

    var text: String {
        let salt = repair == nil ? "more than one damaged bit of the salt" : "damaged salt"
        var lines = report.databases.flatMap { $0.lines(orWith: salt, isDryRun: isDryRun, RemedyText.words) }
        if report.mediaFiles > 0 {
            let copied = isDryRun ? "would be copied" : "copied"
            lines.append("media: \(Count.text(report.mediaFiles, "file")) \(copied)")
        }
        lines += report.mediaErrors.map { "media: \($0)" }
        if report.danglingRows > 0 {
            lines.append("references to lost rows in \(Count.text(report.danglingRows, "row"))")
        }
        let what = report.whyUnusable == nil ? "new account" : "recovered data"
        lines.append("the \(what) \(isDryRun ? "would be" : "is") in \(report.target.withoutControls)")
        if let reason = report.whyUnusable { lines.append(reason) }
        lines.append(report.isComplete ? "nothing is lost" : "some data is lost, see above")
        lines += hints.map(\.note)
        return lines.joined(separator: "\n").asDryRun(of: report, if: isDryRun)
    }

    private var hints: [Hint] {
        var hints = report.isUnopened ? repair ?? [] : []
        if report.danglingRows > 0 {
            hints.append(
                Hint("leave out these rows", options: ["--drop-orphans"], detail: "with another folder"))
        }
        if report.isWithoutConnections, !isDryRun {
            let folder = ShellWord(FilePath(report.target)).text
            let query = ShellWord("select item_ts, item_text from chat_items").text
            hints.append(Hint("read its messages", command: "account sql", "\(folder) \(query)"))
            hints.append(Hint("export its media", command: "media export", "\(folder) media"))
        }
        return hints
    }
}
