import Valise
import ValiseEncoding

/// The result of an export, for the user.
struct MediaExportText {
    let report: MediaExportReport

    var text: String {
        var lines = [summary]
        if report.duplicates > 0 {
            lines.append("\(Count.text(report.duplicates, "duplicate file")) stored only once")
        }
        if report.adopted > 0 {
            lines.append("\(Count.text(report.adopted, "file")) reused from an interrupted run")
        }
        if report.notReceived > 0 {
            lines.append("\(Count.text(report.notReceived, "file")) not received, so not exported")
        }
        if !report.isComplete { lines += problems }
        return lines.map(\.withoutControls).joined(separator: "\n").asDryRun(of: report, if: report.isDryRun)
    }

    private var summary: String {
        let files = "\(Count.text(report.copied, "file")), \(Count.bytes(report.copiedSize))"
        let before = "\(Count.text(report.unchanged, "file")) already there"
        return report.isDryRun
            ? "would export \(files); \(before)"
            : "exported \(files) in \(Seconds.text(report.seconds)); \(before)"
    }

    private var problems: [String] {
        ["skipped: \(Count.text(report.problemCount, "file"))"]
            + FirstLines.of(report.problems, of: report.problemCount) { "\($0.path): \($0.message)" }
    }
}
