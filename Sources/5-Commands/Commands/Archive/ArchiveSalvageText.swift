import Valise
import ValiseEncoding
import ValiseTerminal

/// The data recovered from a damaged archive and the data lost, for a user.
struct ArchiveSalvageText {
    let report: ArchiveSalvageReport

    /// Long lists are cut here; JSON has all of them.
    private static let mostShown = 50

    var text: String {
        let bytes = report.kept.reduce(0) { $0 + $1.size }
        let heading = hasChecksums ? "intact, checksums verified" : "recovered"
        var lines = ["\(heading): \(Count.text(report.kept.count, "file")) (\(Count.bytes(bytes)))"]
        lines += report.databases.flatMap(describe)
        lines += list(report.lost) { lost in
            "lost: \(lost.name)\(lost.offset.map { " at byte \($0)" } ?? ""): \(lost.reason.text)"
                + (lost.olderIsKept ? "; an older version is kept" : "")
        }
        lines += list(report.superseded) { "superseded: \($0.name) at byte \($0.offset)" }
        lines += list(report.inside) { passed in
            "skipped: \(passed.name) at byte \(passed.offset), inside " + (passed.inside ?? "another entry")
        }
        lines += list(report.others) { "skipped: \($0) is not part of an account" }
        lines += list(report.unknown) { "unrecognized: bytes \($0.from) to \($0.to - 1)" }
        if report.duplicates > 0 {
            lines.append("skipped: \(Count.text(report.duplicates, "duplicate")) of intact entries")
        }
        lines += report.notes.map { "note: \($0)" }
        return (lines + conclusion).map(\.withoutControls).joined(separator: "\n")
            .asDryRun(of: report, if: report.isDryRun)
    }

    private func describe(_ database: ArchiveSalvageReport.Database) -> [String] {
        let name = database.database.rawValue
        let reason = database.reason.map { ": \($0)" } ?? ""
        switch database.state {
        case .intact where database.isLookedAt: return ["\(name) database: intact"]
        case .intact:
            return ["\(name) database: \(hasChecksums ? "checksum valid" : "complete"), contents not checked"]
        case .faulty:
            let damage = hasChecksums ? "checksum valid, but damaged when it was packed" : "damaged"
            return ["\(name) database: \(damage)\(reason)"]
                + (database.failure.map { ["  cannot be recovered: \($0)"] } ?? [])
        case .missing: return ["\(name) database: not found\(reason)"]
        case .keptDamaged:
            let kept =
                "\(name) database: damaged\(reason); kept as \(database.entry ?? "") "
                + "(\(Count.bytes(database.damagedSize ?? 0)))"
            let paths = [report.source, report.target].map { ShellWord(FilePath($0)).text }
            let advice = Hint(
                "recover readable data", command: "archive salvage", paths.joined(separator: " "),
                options: ["--force"])
            if let failure = database.failure {
                return [kept, "  cannot be recovered: \(failure.text)"]
            }
            return report.needsPassphrase(database) ? [kept, "  \(advice.note)"] : [kept]
        case .noSpace:
            return ["\(name) database: damaged\(reason); not kept: not enough free space"]
        case .salvaged:
            return ["\(name) database: damaged\(reason); readable data recovered into a new one:"]
                + (database.salvage?.lines(RemedyText.words) ?? [])
        }
    }

    /// Whether the archive says of each entry what was packed: a zip does.
    private var hasChecksums: Bool { report.container == nil }

    private var conclusion: [String] {
        let target = report.target
        var lines = [report.isDryRun ? "would write \(target)" : "new archive: \(target)"]
        if !report.isImportable {
            lines.append("it lacks a database and cannot be imported")
        }
        guard report.isComplete else { return lines + ["some data is lost or may be lost; see above"] }
        guard !report.isLookedAt else {
            return lines + [
                hasChecksums
                    ? "the account is complete and intact"
                    : "the account is complete, both databases are intact"
            ]
        }
        let found = hasChecksums ? "nothing is missing and all checksums are valid" : "nothing is missing"
        return lines + [
            "\(found); contents of the databases not checked",
            Hint("check them", command: "archive verify", ShellWord(FilePath(target)).text).note,
        ]
    }

    private func list<Item>(_ items: [Item], _ line: (Item) -> String) -> [String] {
        var lines = items.prefix(Self.mostShown).map(line)
        if items.count > Self.mostShown {
            lines.append("… and \(items.count - Self.mostShown) more of these (--json lists all)")
        }
        return lines
    }
}
