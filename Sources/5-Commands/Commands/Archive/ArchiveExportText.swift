import Valise
import ValiseEncoding

/// An export or its plan, for a user.
enum ArchiveExportText {
    static func text(_ report: ExportReport, isQuiet: Bool = false) -> String {
        var lines = [
            "exported \(Count.text(report.entries, "file")) (\(ByteCount.text(report.sourceSize))) to "
                + "\(place(report.archivePath)) (\(ByteCount.text(report.archiveSize)))"
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
            "would export \(Count.text(plan.entries, "file")) (\(ByteCount.text(plan.sourceSize))) to "
                + place(plan.archivePath)
                + (plan.archivePath == FileStreams.dash
                    ? ""
                    : "; at most \(ByteCount.text(plan.spaceNeeded)) needed, "
                        + "\(ByteCount.text(plan.spaceFree)) free")
        ]
        lines += plan.folded.map {
            "the journal of the \($0.rawValue) database would be applied to a copy"
        }
        if !plan.databasesOpened { lines.append(unopened) }
        lines += text(plan.partial)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func place(_ path: String) -> String {
        path == FileStreams.dash ? "standard output" : path
    }

    private static let unopened = "databases not opened: no passphrase given"

    private static func text(_ partial: PartialArchive?) -> [String] {
        guard let partial else { return [] }
        var lines = ["partial archive: \(what(partial)); an import elsewhere lacks the files left out"]
        guard partial.leftOutFiles > 0 else { return lines + ["left out: no files"] }
        var sentence =
            "left out: \(Count.text(partial.leftOutFiles, "file")) (\(ByteCount.text(partial.leftOutSize)))"
        if let count = partial.unreferencedFiles, count > 0 {
            sentence += ", including \(Count.text(count, "unreferenced file"))"
        }
        lines.append(sentence)
        return lines + FirstLines.of(partial.leftOut, of: partial.leftOutFiles) { $0 }
    }

    private static func what(_ partial: PartialArchive) -> String {
        switch partial.kind {
        case .onlyDatabases: return "databases only, no media or wallpapers"
        case .withoutMedia: return "databases and wallpapers, no media"
        case .selectedMedia:
            let chats = partial.chats.isEmpty ? "messages" : partial.chats.joined(separator: ", ")
            let since = partial.since.map { " since \($0)" } ?? ""
            return "databases, wallpapers, and only media of \(chats)\(since)"
        }
    }
}
