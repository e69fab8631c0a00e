import Valise
import ValiseEncoding

/// The result or the plan of a conversion of media, for the user.
struct MediaConversionText {
    let direction: MediaDirection
    var isDryRun = false

    /// Prints it, and ends the command.
    func print(
        _ report: MediaConversionReport, of location: AccountLocation, _ output: OutputOptions
    ) throws {
        if direction == .encrypt, !report.isDatabaseEncrypted, report.files > 0 {
            output.note("the chat database holds the keys but is not encrypted")
            output.note(Hint("set a passphrase", command: "key change", location.arguments).note)
        }
        try output.print(report, type: isDryRun ? "mediaConversionPlan" : "mediaConverted") { text(report) }
        if report.leftCount > 0 { throw ExitStatusError(status: .entryErrors) }
    }

    func text(_ report: MediaConversionReport) -> String {
        let verb = (isDryRun ? "would be " : "") + (direction == .encrypt ? "encrypted" : "decrypted")
        let state = direction == .encrypt ? "encrypted" : "unencrypted"
        var lines = ["\(Count.text(report.files, "file")) \(verb), \(Count.bytes(report.bytes))"]
        if report.already > 0 { lines.append("\(Count.text(report.already, "file")) already \(state)") }
        if report.waiting > 0 {
            lines.append("\(Count.text(report.waiting, "file")) not received yet, or cancelled")
        }
        if isDryRun, report.files > 0 {
            lines.append("needs \(Count.bytes(report.spaceNeeded)) of free space beside the account")
        }
        if report.leftCount > 0 {
            lines.append("\(Count.text(report.leftCount, "file")) skipped:")
            lines += FirstLines.of(report.left, of: report.leftCount) { "\($0.path): \($0.message.text)" }
        }
        return lines.map(\.withoutControls).joined(separator: "\n").asDryRun(of: report, if: isDryRun)
    }
}
