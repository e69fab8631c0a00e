import Valise
import ValiseEncoding

/// The result of an export, for the user.
struct MediaExportText {
    private let report: MediaExportReport
    private static let mostLines = 20

    init(_ report: MediaExportReport) {
        self.report = report
    }

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
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var summary: String {
        let files = "\(Count.text(report.copied, "file")), \(ByteCount.text(report.copiedSize))"
        let before = "\(Count.text(report.unchanged, "file")) already there"
        return report.isDryRun
            ? "would export \(files); \(before)"
            : "exported \(files) in \(Seconds.text(report.seconds)); \(before)"
    }

    private var problems: [String] {
        var lines = ["skipped: \(Count.text(report.problemCount, "file"))"]
        lines += report.problems.prefix(Self.mostLines).map { "  \($0.path): \($0.message)" }
        if report.problemCount > Self.mostLines {
            let more = report.problemCount - Self.mostLines
            lines.append("  " + Count.more(more, listed: report.problems.count, of: report.problemCount))
        }
        return lines
    }
}
