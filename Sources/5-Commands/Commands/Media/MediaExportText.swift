import Valise

/// What an export did, for a user.
struct MediaExportText {
    private let report: MediaExportReport
    private static let mostLines = 20

    init(_ report: MediaExportReport) {
        self.report = report
    }

    var text: String {
        var lines = [summary]
        if report.duplicates > 0 {
            lines.append(
                "\(Count.text(report.duplicates, "file")) with the content of another one stored once")
        }
        if report.adopted > 0 {
            lines.append("\(Count.text(report.adopted, "file")) of an interrupted run taken over")
        }
        if report.notReceived > 0 {
            lines.append("\(Count.text(report.notReceived, "file")) were not received, so they are not here")
        }
        if !report.isComplete { lines += problems }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private var summary: String {
        let files = "\(Count.text(report.copied, "file")), \(ByteCount.text(report.copiedSize))"
        let before = "\(Count.text(report.unchanged, "file")) there before"
        return report.isDryRun
            ? "would copy \(files); \(before)"
            : "copied \(files) in \(Seconds.text(report.seconds)); \(before)"
    }

    private var problems: [String] {
        var lines = ["left out: \(Count.text(report.problemCount, "file"))"]
        lines += report.problems.prefix(Self.mostLines).map { "  \($0.path): \($0.message)" }
        if report.problemCount > Self.mostLines {
            let more = report.problemCount - Self.mostLines
            lines.append("  " + Count.more(more, listed: report.problems.count, of: report.problemCount))
        }
        return lines
    }
}
