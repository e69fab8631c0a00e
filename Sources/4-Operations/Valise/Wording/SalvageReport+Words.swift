import ValiseAccounts
import ValiseEncoding
package import ValiseFailures
package import ValiseMaintenance
import ValisePages

extension SalvageReport.Database {
    /// The recovered and the lost data of the database.
    ///
    /// - Parameters:
    ///   - salt: what may be the reason where the passphrase is right.
    ///   - isDryRun: whether nothing was written.
    ///   - words: for what can be done.
    package func lines(
        orWith salt: String = "damaged salt", isDryRun: Bool = false, _ words: RemedyWords
    ) -> [String] {
        let recovered = isDryRun ? "would recover" : "recovered"
        let name = database.rawValue
        switch state {
        case .missing: return ["\(name): missing or empty, so also missing from the new account"]
        case .unopened:
            return ["\(name): not recovered: wrong passphrase, or \(salt)"]
        case .salvaged: break
        }
        let rows = tables.reduce(0) { $0 + $1.rows }
        var lines = [
            "\(name): \(recovered) \(Count.text(rows, "row")) in \(Count.text(tables.count, "table"))"
        ]
        lines += pageLines
        lines += tables.compactMap { $0.line(recovered) }
        lines += messageLoss.map { "  \($0)" } + lostMessages.map(\.line)
        if lostMessages.isEmpty {
            // Each lost page has its range, and those of many pages read the same.
            var told: Set<String> = []
            lines += messageRanges.filter { told.insert($0).inserted }
                .map { "  messages may be missing \($0)" }
        }
        lines += brokenReferences.map { reference in
            let what = reference.dropped ? "dropped or reference cleared" : "kept"
            return "  \(Count.text(reference.rows, "row")) of \(reference.table) referred to lost rows of "
                + "\(reference.parent): \(what)"
        }
        lines += lostObjects.map { "  not recreated: \($0)" }
        if let file = lostAndFoundFile {
            lines.append("  \(Count.text(lostAndFoundRows, "row")) in \(file)")
        }
        lines += notes.map { "  note: \($0.text(words))" }
        return lines.map(\.withoutControls)
    }

    private var pageLines: [String] {
        var lines: [String] = []
        if !damagedPages.isEmpty {
            lines.append(
                "  \(Count.text(damagedPages.count, "damaged page")): \(damagedPages.text())"
            )
            for page in lostPages.prefix(20) {
                lines.append("  page \(page.page) contained: \(page.content ?? "unknown")")
            }
        }
        if missingPages > 0 {
            lines.append("  \(Count.text(missingPages, "page")) missing at the end of the file")
        }
        return lines
    }
}

extension SalvageReport.Table {
    /// Nil where there is nothing to say but how many rows were recovered.
    fileprivate func line(_ recovered: String) -> String? {
        var parts: [String] = []
        if rowsFromOrphans > 0 {
            parts.append("\(rowsFromOrphans) from disconnected pages")
        }
        if rowsFromDamagedPages > 0 { parts.append("\(rowsFromDamagedPages) from damaged pages") }
        if rowsFromSQLite > 0 { parts.append("\(rowsFromSQLite) by SQLite only") }
        if rowsWrittenAnew > 0 { parts.append("\(rowsWrittenAnew) reconstructed") }
        if cutRows > 0 { parts.append("\(cutRows) truncated, the rest in lost_and_found") }
        if refusedRows > 0 { parts.append("\(refusedRows) rejected, in lost_and_found") }
        if unreadableRows > 0 { parts.append("\(unreadableRows) unreadable") }
        if let missing = missingRows {
            if missing > 0 { parts.append("\(missing) lost") }
        } else if !missingRanges.isEmpty {
            parts.append("rows may be lost: \(missingIDs)")
        }
        guard !parts.isEmpty else { return nil }
        return "  \(name): \(recovered) \(Count.text(rows, "row")); "
            + parts.joined(separator: "; ")
    }

    /// Where rows may be missing. Two pages that meet are all ids together, which no range says: one without bounds is a page
    /// of which nothing is known.
    var missingIDs: String {
        let ranges = joinedMissingRanges
        let meet = ranges.count == 2 && ranges[0].upTo != nil && ranges[0].upTo == ranges[1].above
        return meet ? "any ids" : ranges.map(\.text).joined(separator: "; ")
    }
}

extension SalvageReport.Range {
    fileprivate var text: String {
        switch (above, upTo) {
        case (let above?, let upTo?): "ids \(above.advanced(by: above < .max ? 1 : 0)) to \(upTo)"
        case (let above?, nil): "ids above \(above)"
        case (nil, let upTo?): "ids up to \(upTo)"
        case (nil, nil): "a whole page"
        }
    }
}

extension SalvageReport.Messages {
    var line: String {
        let (from, to) = (first.map(Self.seconds), (last ?? first).map(Self.seconds))
        let dates =
            switch (from, to) {
            case (let from?, let to?): from == to ? " at \(from)" : " from \(from) to \(to)"
            default: ""
            }
        return "  lost in '\(chat)': \(Count.text(count, "message"))\(dates)"
    }

    /// Apps write some times with fractions of seconds, and some without.
    private static func seconds(_ time: String) -> String { String(time.prefix { $0 != "." }) }
}
