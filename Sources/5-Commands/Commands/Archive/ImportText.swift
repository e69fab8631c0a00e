import Valise

/// Imports and their plans for a user.
enum ImportText {
    // MARK: An import

    static func text(_ report: ImportReport, directory: String) -> String {
        var lines = [
            "imported \(Count.text(report.entries, "file")) (\(ByteCount.text(report.size))) into \(directory)"
                + (report.replacedAccount ? ", in place of the previous account" : "")
        ]
        lines += ignored(report.ignored)
        if !report.databasesOpened { lines.append(notOpened) }
        if let kept = report.keptPrevious {
            lines.append(
                "the previous account is kept in \(kept.directory), which 'valise account status \(kept.directory)' "
                    + "shows; "
                    + (kept.isWhole
                        ? "to go back, export it and import that with --into-existing"
                        : "it was a part of an account, which cannot be exported")
                    + (kept.media.copied > 0
                        ? "; its media were copied, because there are no hard links here" : ""))
        }
        if report.isReadOnly {
            lines.append("it is only to be read: what would change or run it is refused")
        } else if !report.replacedAccount {
            lines.append(
                "if this account was used elsewhere after the archive was made, sending from this copy can break "
                    + "its connections")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    /// What the new account cannot be used for; nil where there is nothing of that kind.
    private static let notOpened = "the databases were not opened, because no passphrase was given"

    private static func ignored(_ names: [String]) -> [String] {
        names.map { "\($0): no part of an account, left in the archive" }
    }

    // MARK: A plan

    static func text(_ plan: ImportPlan, _ schema: ArchivedSchema?) -> String {
        var lines: [String] = []
        if let interrupted = plan.interrupted { lines.append("first: \(interrupted)") }
        let place = plan.makesDirectory ? "\(plan.directory), which would be made" : plan.directory
        lines.append("into \(place)  (prefix \(plan.prefix))")
        for database in plan.databases {
            let previous =
                database.replacedSize.map { ", in place of one of \(ByteCount.text($0))" } ?? ", new"
            lines.append(FieldLine.text(database.database.rawValue, ByteCount.text(database.size) + previous))
        }
        lines += describe("media", plan.media) + describe("wallpapers", plan.wallpapers)
        lines.append(
            FieldLine.text(
                "space", "\(ByteCount.text(plan.spaceNeeded)) needed, \(ByteCount.text(plan.freeSpace)) free")
        )
        lines.append(FieldLine.text("passphrase", plan.databasesOpened ? "both databases open" : notOpened))
        if let schema { lines.append(FieldLine.text("schema", describe(schema))) }
        if let age = plan.age { lines.append(FieldLine.text("age", describe(age))) }
        if let kept = plan.keptPrevious { lines.append(FieldLine.text("former", "stays in \(kept)")) }
        if plan.isReadOnly { lines.append(FieldLine.text("archive", "it would be only to be read")) }
        lines += ignored(plan.ignored)
        lines.append("nothing was changed")
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static let mostNames = 20

    private static func describe(_ name: String, _ folder: ImportPlan.Folder) -> [String] {
        let parts = [
            (folder.new, "new"), (folder.replaced, "replaced"), (folder.identical, "there already"),
            (folder.staying, "staying"),
        ].filter { $0.0.files > 0 }.map { "\($0.0.files) \($0.1) (\(ByteCount.text($0.0.size)))" }
        var lines = [FieldLine.text(name, parts.isEmpty ? "none" : parts.joined(separator: ", "))]
        lines += folder.replacedNames.prefix(mostNames).map { FieldLine.text("", "replaced: \($0)") }
        if folder.replacedNames.count > mostNames {
            lines.append(
                FieldLine.text("", "and \(folder.replacedNames.count - mostNames) more; --json lists them"))
        }
        return lines
    }

    private static func describe(_ schema: ArchivedSchema) -> String {
        switch schema.state {
        case .current: "up to date"
        case .upgradeNeeded: "upgrade needed"
        case .newerThanKnown: "newer than known: made by a newer program"
        case .unknown: "not known here"
        }
    }

    private static func describe(_ age: ImportAge) -> String {
        let evidence =
            switch age.evidence {
            case .bytes: ", byte by byte"
            case .connections: ", by the messages of its connections"
            case .messages: ", by the newest message"
            case .times: ", by the times of the files"
            case nil: ""
            }
        return switch age.verdict {
        case .newer: "newer than the account in place\(evidence)"
        case .same where age.evidence == .bytes: "the same as the account in place\(evidence)"
        case .same: "as old as the account in place\(evidence)"
        case .older: "older than the account in place\(evidence)"
        case .otherAccount: "ANOTHER ACCOUNT than the one in place: no connection in common"
        case .unknown: "not known"
        }
    }
}
