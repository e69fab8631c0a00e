import Valise
import ValiseEncoding

/// An export or its plan, for a user.
enum ArchiveExportText {
    static func text(_ report: ExportReport, isQuiet: Bool = false) -> String {
        var lines = [
            "exported \(Count.text(report.entries, "file")) (\(Count.bytes(report.sourceSize))) to "
                + "\(place(report.archivePath)) (\(Count.bytes(report.archiveSize)))"
        ]
        if let sha256 = report.sha256 { lines.append("SHA-256: \(sha256)") }
        lines += report.folded.map {
            "the journal of the \($0.rawValue) database was applied to a copy"
        }
        if report.isReproducible == false {
            lines.append(
                "not reproducible: a write-ahead log was merged; open and close the app, then export again")
        }
        if !report.databasesOpened, !isQuiet { lines.append(unopened) }
        lines += text(report.partial)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    static func text(_ plan: ExportPlan) -> String {
        var lines = [
            "would export \(Count.text(plan.entries, "file")) (\(Count.bytes(plan.sourceSize))) to "
                + place(plan.archivePath)
                + (plan.archivePath == FileStreams.dash
                    ? ""
                    : "; at most \(Count.bytes(plan.spaceNeeded)) needed, "
                        + "\(Count.bytes(plan.spaceFree)) free")
        ]
        lines += plan.folded.map {
            "the journal of the \($0.rawValue) database would be applied to a copy"
        }
        if !plan.databasesOpened { lines.append(unopened) }
        lines += text(plan.partial)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    /// A report or a plan, then the archives that are removed.
    static func text(_ report: String, _ verb: String, _ removed: [String]?) -> String {
        ([report] + (removed ?? []).map { "\(verb) \($0)".withoutControls }).joined(separator: "\n")
    }

    private static func place(_ path: String) -> String {
        path == FileStreams.dash ? "standard output" : path
    }

    private static let unopened = "databases not opened: no passphrase given"

    private static func text(_ partial: PartialArchive?) -> [String] {
        guard let partial else { return [] }
        return partial.lines + FirstLines.of(partial.leftOut, of: partial.leftOutFiles) { $0 }
    }
}
