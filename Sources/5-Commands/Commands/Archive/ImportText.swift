import Valise
import ValiseEncoding
import ValiseTerminal

/// Imports and their plans for a user.
enum ImportText {
    // MARK: An import

    static func text(_ report: ImportReport, directory: String, isQuiet: Bool = false) -> String {
        var lines = [
            "imported \(Count.text(report.entries, "file")) (\(Count.bytes(report.size))) into \(directory)"
                + (report.replacedAccount ? ", replacing the previous account" : "")
        ]
        lines += ignored(report.ignored)
        if !report.databasesOpened, !isQuiet { lines.append(notOpened) }
        if let kept = report.keptPrevious {
            lines.append(
                "previous account kept in \(kept.directory)"
                    + (kept.isIntact ? "" : "; it was incomplete and cannot be exported"))
            if kept.media.copied > 0 {
                lines.append("its media were copied, because hard links are not supported here")
            }
            if kept.isIntact {
                lines.append("hint: to roll back, export it and import that archive with --into-existing")
            }
        }
        if report.isReadOnly {
            lines.append("read-only: commands that would change or run the account are refused")
        } else if !report.replacedAccount {
            lines.append(
                "note: if the account was used elsewhere after the export, sending from this copy can break "
                    + "its connections")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    /// For encrypted databases without a passphrase.
    private static let notOpened = "databases not opened: no passphrase given"

    private static func ignored(_ names: [String]) -> [String] {
        names.map { "\($0): not part of an account, not imported" }
    }

    // MARK: A plan

    static func text(_ plan: ImportPlan, _ schema: ArchivedSchema?) -> String {
        var lines: [String] = []
        if let interrupted = plan.interrupted { lines.append("first: \(interrupted)") }
        let place = plan.makesDirectory ? "\(plan.directory), which would be created" : plan.directory
        lines.append("into \(place)  (prefix \(plan.prefix))")
        for database in plan.databases {
            let previous =
                database.replacedSize.map { ", replacing \(Count.bytes($0))" } ?? ", new"
            lines.appendField(database.database.rawValue, Count.bytes(database.size) + previous)
        }
        lines += describe("media", plan.media) + describe("wallpapers", plan.wallpapers)
        lines.appendField(
            "space", "\(Count.bytes(plan.spaceNeeded)) needed, \(Count.bytes(plan.freeSpace)) free")
        lines.appendField("passphrase", plan.databasesOpened ? "both databases open" : notOpened)
        if let schema { lines.appendField("schema", describe(schema)) }
        if let age = plan.age { lines.appendField("age", describe(age)) }
        if let kept = plan.keptPrevious { lines.appendField("previous", "kept in \(kept)") }
        if plan.isReadOnly { lines.appendField("archive", "would be read-only") }
        lines += ignored(plan.ignored)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func describe(_ name: String, _ folder: ImportPlan.Folder) -> [String] {
        let parts = [
            (folder.new, "new"), (folder.replaced, "replaced"), (folder.identical, "unchanged"),
            (folder.staying, "kept"),
        ].filter { $0.0.files > 0 }.map { "\($0.0.files) \($0.1) (\(Count.bytes($0.0.size)))" }
        let lines = [FieldLine.text(name, parts.isEmpty ? "none" : parts.joined(separator: ", "))]
        let names = folder.replacedNames
        return lines
            + FirstLines.of(names, of: names.count, indent: "") { "replaced: \($0)" }
            .map { FieldLine.text("", $0) }
    }

    private static func describe(_ schema: ArchivedSchema) -> String {
        switch schema.state {
        case .current: "up to date"
        case .upgradeNeeded: "upgrade needed"
        case .newerThanKnown: "made by a newer program"
        case .unknown: "unknown"
        }
    }

    private static func describe(_ age: ImportAge) -> String {
        let evidence =
            switch age.evidence {
            case .bytes: ", byte by byte"
            case .connections: ", by its connections"
            case .messages: ", by the newest message"
            case .times: ", by the file times"
            case nil: ""
            }
        return switch age.verdict {
        case .newer: "newer than the existing account\(evidence)"
        case .same where age.evidence == .bytes: "the same as the existing account\(evidence)"
        case .same: "as old as the existing account\(evidence)"
        case .older: "older than the existing account\(evidence)"
        case .otherAccount: "DIFFERENT ACCOUNT: no connections in common with the existing one"
        case .unknown: "unknown"
        }
    }
}
