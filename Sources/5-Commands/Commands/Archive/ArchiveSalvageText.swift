import Valise

/// What was saved of a broken archive and what is lost, for a user.
struct ArchiveSalvageText {
    private let report: ArchiveSalvageReport

    /// Long lists are cut here; JSON has all of them.
    private static let mostShown = 50

    init(_ report: ArchiveSalvageReport) {
        self.report = report
    }

    var text: String {
        let bytes = report.kept.reduce(0) { $0 + $1.size }
        var lines = [
            "kept, proved by checksum: \(Count.text(report.kept.count, "file")) (\(ByteCount.text(bytes)))"
        ]
        lines += report.databases.flatMap(describe)
        lines += list(report.lost) { lost in
            "lost: \(lost.name), at byte \(lost.offset): \(lost.reason.text)"
                + (lost.olderIsKept ? "; an older one of this name is kept" : "")
        }
        lines += list(report.superseded) { "superseded: \($0.name), at byte \($0.offset)" }
        lines += list(report.inside) { passed in
            "not taken: \(passed.name), at byte \(passed.offset), lies inside of "
                + (passed.inside ?? "another entry")
        }
        lines += list(report.others) { "left out: \($0) is no part of an account" }
        lines += list(report.unknown) { "not understood: bytes \($0.from) to \($0.to - 1)" }
        if report.duplicates > 0 {
            lines.append("\(Count.text(report.duplicates, "duplicate")) of what was kept")
        }
        lines += report.notes.map { "note: \($0)" }
        return (lines + conclusion).map(\.withoutControls).joined(separator: "\n")
    }

    private func describe(_ database: ArchiveSalvageReport.Database) -> [String] {
        let name = database.database.rawValue
        let reason = database.reason.map { ": \($0)" } ?? ""
        switch database.state {
        case .whole where database.isLookedAt: return ["\(name) database: whole"]
        case .whole: return ["\(name) database: its checksum holds; it was not looked into"]
        case .faulty:
            return ["\(name) database: as it was packed, which its checksum proves; but\(reason)"]
                + (database.failure.map { ["  it could not be salvaged: \($0)"] } ?? [])
        case .missing: return ["\(name) database: not found\(reason)"]
        case .keptDamaged:
            let kept =
                "\(name) database: damaged\(reason); its \(ByteCount.text(database.damagedSize ?? 0)) are kept as "
                + "\(database.entry ?? "")"
            let advice =
                "  run this again with the passphrase (--passphrase-file) to save what can be read of it"
            if let failure = database.failure {
                return [kept, "  it could not be salvaged: \(failure.text)"]
            }
            return database.isLookedAt ? [kept] : [kept, advice]
        case .noSpace:
            return ["\(name) database: damaged\(reason); there is no space for its bytes, and none is kept"]
        case .salvaged:
            return ["\(name) database: damaged\(reason); what can be read is in a fresh one:"]
                + (database.salvage.map { SalvageText.lines($0) } ?? [])
        }
    }

    private var conclusion: [String] {
        let target = report.target
        var lines = [
            report.isDryRun
                ? "nothing was left at \(target) (--dry-run)" : "the new archive is \(target)"
        ]
        if !report.isImportable {
            lines.append("it has not both databases: no import takes it for an account")
        }
        guard report.isComplete else { return lines + ["something is lost, or may be; see above"] }
        lines.append(
            report.isLookedAt
                ? "everything that belongs to the account is whole"
                : "nothing is missing and every checksum holds; whether the databases are whole inside was not looked "
                    + "at: it takes the passphrase (--passphrase-file), here or with 'archive verify'")
        return lines
    }

    private func list<Item>(_ items: [Item], _ line: (Item) -> String) -> [String] {
        var lines = items.prefix(Self.mostShown).map(line)
        if items.count > Self.mostShown {
            lines.append("… and \(items.count - Self.mostShown) more of these (--json lists all)")
        }
        return lines
    }
}
