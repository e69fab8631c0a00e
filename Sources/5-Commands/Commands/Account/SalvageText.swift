import Valise
import ValiseEncoding

/// The result of a salvage, for the user.
struct SalvageText {
    let report: SalvageReport
    let isDryRun: Bool
    /// Whether other salts were tried.
    let repairsSalt: Bool

    var text: String {
        let salt = repairsSalt ? "more than one damaged bit of the salt" : "damaged salt (see --repair-salt)"
        var lines = report.databases.flatMap { Self.lines($0, orWith: salt) }
        if report.mediaFiles > 0 { lines.append("media: \(Count.text(report.mediaFiles, "file")) copied") }
        lines += report.mediaErrors.map { "media: \($0)" }
        let target = report.target.withoutControls
        lines.append(
            isDryRun ? "dry run: no account was created in \(target)" : "the new account is in \(target)")
        lines.append(report.isComplete ? "nothing is lost" : "some data is lost, see above")
        return lines.joined(separator: "\n").timed(by: report, if: isDryRun)
    }

    /// The recovered and the lost data of one database.
    ///
    /// - Parameter salt: what may be the reason where the passphrase is right.
    static func lines(
        _ database: SalvageReport.Database, orWith salt: String = "damaged salt"
    ) -> [String] {
        let name = database.database.rawValue
        switch database.state {
        case .missing: return ["\(name): missing or empty, so also missing from the new account"]
        case .unopened:
            return ["\(name): not recovered: wrong passphrase, or \(salt)"]
        case .salvaged: break
        }
        let rows = database.tables.reduce(0) { $0 + $1.rows }
        var lines = [
            "\(name): recovered \(Count.text(rows, "row")) in \(Count.text(database.tables.count, "table"))"
        ]
        lines += pageLines(database)
        lines += database.tables.compactMap(line)
        lines += database.lostMessages.map(line)
        if database.lostMessages.isEmpty {
            // Each lost page has its range, and those of many pages read the same.
            var told: Set<String> = []
            lines += database.messageRanges.filter { told.insert($0).inserted }
                .map { "  messages may be missing \($0)" }
        }
        lines += database.brokenReferences.map { reference in
            let what = reference.dropped ? "dropped or reference cleared" : "kept"
            return "  \(Count.text(reference.rows, "row")) of \(reference.table) referred to lost rows of "
                + "\(reference.parent): \(what)"
        }
        lines += database.lostObjects.map { "  not recreated: \($0)" }
        if let file = database.lostAndFoundFile {
            lines.append("  \(Count.text(database.lostAndFoundRows, "row")) in \(file)")
        }
        lines += database.notes.map { "  note: \($0.text)" }
        return lines.map(\.withoutControls)
    }

    private static func pageLines(_ database: SalvageReport.Database) -> [String] {
        var lines: [String] = []
        if !database.damagedPages.isEmpty {
            lines.append(
                "  \(Count.text(database.damagedPages.count, "damaged page")): \(database.damagedPages.text())"
            )
            for page in database.lostPages.prefix(20) {
                lines.append("  page \(page.page) contained: \(page.content ?? "unknown")")
            }
        }
        if database.missingPages > 0 {
            lines.append("  \(Count.text(database.missingPages, "page")) missing at the end of the file")
        }
        return lines
    }

    private static func line(_ table: SalvageReport.Table) -> String? {
        var parts: [String] = []
        if table.rowsFromOrphans > 0 {
            parts.append("\(table.rowsFromOrphans) from disconnected pages")
        }
        if table.rowsFromDamagedPages > 0 { parts.append("\(table.rowsFromDamagedPages) from damaged pages") }
        if table.rowsFromSQLite > 0 { parts.append("\(table.rowsFromSQLite) by SQLite only") }
        if table.rowsWrittenAnew > 0 { parts.append("\(table.rowsWrittenAnew) reconstructed") }
        if table.cutRows > 0 { parts.append("\(table.cutRows) truncated, the rest in lost_and_found") }
        if table.refusedRows > 0 { parts.append("\(table.refusedRows) rejected, in lost_and_found") }
        if table.unreadableRows > 0 { parts.append("\(table.unreadableRows) unreadable") }
        if let missing = table.missingRows {
            if missing > 0 { parts.append("\(missing) lost") }
        } else if !table.missingRanges.isEmpty {
            parts.append(
                "rows may be lost: \(table.joinedMissingRanges.map(text).joined(separator: "; "))")
        }
        guard !parts.isEmpty else { return nil }
        return "  \(table.name): recovered \(Count.text(table.rows, "row")); " + parts.joined(separator: "; ")
    }

    private static func text(_ range: SalvageReport.Range) -> String {
        switch (range.above, range.upTo) {
        case (let above?, let upTo?): "ids \(above.advanced(by: above < .max ? 1 : 0)) to \(upTo)"
        case (let above?, nil): "ids above \(above)"
        case (nil, let upTo?): "ids up to \(upTo)"
        case (nil, nil): "a whole page"
        }
    }

    private static func line(_ messages: SalvageReport.Messages) -> String {
        let dates = messages.first.map { first in " from \(first) to \(messages.last ?? first)" } ?? ""
        return "  lost in '\(messages.chat)': \(Count.text(messages.count, "message"))\(dates)"
    }
}
