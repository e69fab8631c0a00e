import Valise

/// What an export did or would do, for a user.
enum ArchiveExportText {
    private static let mostLines = 20

    static func text(_ report: ExportReport) -> String {
        var lines = [
            "exported \(Count.text(report.entries, "file")) (\(ByteCount.text(report.sourceSize))) to "
                + "\(place(report.archivePath)) (\(ByteCount.text(report.archiveSize)))"
        ]
        if let sha256 = report.sha256 { lines.append("SHA-256: \(sha256)") }
        lines += report.folded.map {
            "the journal of the \($0.rawValue) database was folded in, on a copy"
        }
        if report.isReproducible == false {
            lines.append(
                "another export would have other bytes, because a write-ahead log was folded in; open and close the app "
                    + "once, and export again")
        }
        if !report.databasesOpened { lines.append(unopened) }
        lines += text(report.partial)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    static func text(_ plan: ExportPlan) -> String {
        var lines = [
            "would export \(Count.text(plan.entries, "file")) (\(ByteCount.text(plan.sourceSize))) to "
                + place(plan.archivePath)
                + (plan.archivePath == FileStreams.dash
                    ? ""
                    : "; \(ByteCount.text(plan.spaceNeeded)) are needed at most, "
                        + "\(ByteCount.text(plan.spaceFree)) are free")
        ]
        lines += plan.folded.map {
            "the journal of the \($0.rawValue) database would be folded in, on a copy"
        }
        if !plan.databasesOpened { lines.append(unopened) }
        lines += text(plan.partial)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func place(_ path: String) -> String {
        path == FileStreams.dash ? "standard output" : path
    }

    private static let unopened = "the databases were not opened, because no passphrase was given"

    private static func text(_ partial: PartialArchive?) -> [String] {
        guard let partial else { return [] }
        var lines = [
            "this archive is partial: \(what(partial)); what is missing stays missing after an import elsewhere"
        ]
        guard partial.leftOutFiles > 0 else { return lines + ["nothing had to be left out for that"] }
        var sentence =
            "left out: \(Count.text(partial.leftOutFiles, "file")) (\(ByteCount.text(partial.leftOutSize)))"
        if let count = partial.unreferencedFiles, count > 0 {
            sentence += ", \(Count.text(count, "file")) of them in no message"
        }
        lines.append(sentence)
        lines += partial.leftOut.prefix(mostLines).map { "  \($0)" }
        if partial.leftOutFiles > mostLines {
            lines.append("  and \(partial.leftOutFiles - mostLines) more; --json lists them")
        }
        return lines
    }

    private static func what(_ partial: PartialArchive) -> String {
        switch partial.kind {
        case .onlyDatabases: return "the databases, no media and no wallpapers"
        case .withoutMedia: return "the databases and wallpapers, no media"
        case .selectedMedia:
            let chats = partial.chats.isEmpty ? "messages" : partial.chats.joined(separator: ", ")
            let since = partial.since.map { " since \($0)" } ?? ""
            return "the databases and wallpapers, and of media only those of \(chats)\(since)"
        }
    }
}
