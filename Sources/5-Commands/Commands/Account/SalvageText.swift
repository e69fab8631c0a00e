import Valise
import ValiseEncoding

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
            lines.append(
                "references to lost rows in \(Count.text(report.danglingRows, "row")); --drop-orphans leaves them out"
            )
        }
        let (target, what) = (
            report.target.withoutControls, report.isWithoutConnections ? "recovered data" : "new account"
        )
        lines.append("the \(what) \(isDryRun ? "would be" : "is") in \(target)")
        if report.isWithoutConnections {
            lines.append(
                "the agent database (keys of all connections) is lost: apps cannot use this account. Its messages "
                    + "can be read with 'valise account sql' and its media with 'valise media export'.")
        }
        lines.append(report.isComplete ? "nothing is lost" : "some data is lost, see above")
        if report.isUnopened { lines += (repair ?? []).map { "hint: \($0.text)" } }
        return lines.joined(separator: "\n").asDryRun(of: report, if: isDryRun)
    }
}
