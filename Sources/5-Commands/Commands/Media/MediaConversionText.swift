import Valise
import ValiseEncoding

/// The result or the plan of a conversion of media, for the user.
struct MediaConversionText {
    private let direction: MediaDirection
    private let isDryRun: Bool
    private static let mostLines = 20

    init(_ direction: MediaDirection, isDryRun: Bool = false) {
        self.direction = direction
        self.isDryRun = isDryRun
    }

    /// Prints it, and ends the command.
    func print(_ report: MediaConversionReport, _ output: OutputOptions) throws {
        if direction == .encrypt, !report.isDatabaseEncrypted, report.files > 0 {
            output.note(
                "the chat database holds the keys but is not encrypted; 'valise key change' sets a passphrase"
            )
        }
        try output.print(report, type: isDryRun ? "mediaConversionPlan" : "mediaConverted") { text(report) }
        if report.leftCount > 0 { throw ExitStatusError(status: .entryErrors) }
    }

    func text(_ report: MediaConversionReport) -> String {
        let verb = (isDryRun ? "would be " : "") + (direction == .encrypt ? "encrypted" : "decrypted")
        let state = direction == .encrypt ? "encrypted" : "unencrypted"
        var lines = ["\(Count.text(report.files, "file")) \(verb), \(ByteCount.text(report.bytes))"]
        if report.already > 0 { lines.append("\(Count.text(report.already, "file")) already \(state)") }
        if report.waiting > 0 {
            lines.append("\(Count.text(report.waiting, "file")) not received yet, or cancelled")
        }
        if isDryRun, report.files > 0 {
            lines.append("needs \(ByteCount.text(report.spaceNeeded)) of free space beside the account")
        }
        if report.leftCount > 0 {
            lines.append("\(Count.text(report.leftCount, "file")) skipped:")
            lines += report.left.prefix(Self.mostLines).map { "  \($0.path): \($0.message.text)" }
            if report.leftCount > Self.mostLines {
                let more = report.leftCount - Self.mostLines
                lines.append("  " + Count.more(more, listed: report.left.count, of: report.leftCount))
            }
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
