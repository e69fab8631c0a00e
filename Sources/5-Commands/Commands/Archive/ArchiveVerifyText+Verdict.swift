import Valise

extension ArchiveVerifyText {
    /// A line for each check that was not made: silence would claim too much.
    static func unproved(_ list: [Unproved]) -> [String] {
        list.map { item in
            let database = item.database.map { " (\($0.rawValue))" } ?? ""
            return "  not verified: \(words(item.subject))\(database): \(words(item.reason))"
        }
    }

    private static func words(_ subject: Unproved.Subject) -> String {
        switch subject {
        case .pages: "page integrity"
        case .tables: "consistency of tables, indexes and references"
        case .schema: "schema"
        case .media: "media against the messages, and media tags"
        }
    }

    private static func words(_ reason: Unproved.Reason) -> String {
        switch reason {
        case .noPassphrase: "no passphrase given"
        case .wrongPassphrase: "wrong passphrase"
        case .damaged: "damaged, see above"
        case .notEncrypted: "unencrypted pages have no HMAC, only the zip checksum"
        case .unsupported: "unknown database"
        }
    }

    static func verdict(_ report: ArchiveVerificationReport) -> String {
        let isPartial =
            report.contents?.problemCount == 0
            && report.media.map { $0.count(.missing) } == report.mediaProblemCount
        return switch report.verdict {
        case .unproved: "the zip file is intact; databases not verified: no passphrase given"
        case .good: "the archive is intact; \(outlook(report))"
        case .entryProblems where isPartial:
            "both databases are intact; some media are missing from the archive; " + outlook(report)
        case .entryProblems where report.importOutlook == .notKnown:
            "some entries are damaged; databases not verified: no passphrase given"
        case .entryProblems:
            "both databases are intact; other files are damaged or inconsistent; " + outlook(report)
        case .wrongPassphrase: "wrong passphrase: it opens neither database"
        case .damaged: "the archive is damaged"
        case .newer: "the archive is intact, but was made by a newer program"
        case .unsupported: "the archive cannot be imported"
        }
    }

    private static func outlook(_ report: ArchiveVerificationReport) -> String {
        switch report.importOutlook {
        case .ready: "ready to import"
        case .upgradeNeeded where report.schemas.allSatisfy { $0.1.origin == .valise }:
            "after an import, upgrade the schema with 'valise migrate run'"
        case .upgradeNeeded:
            "after an import, the app upgrades the schema when it opens the account"
        case .newerThanKnown: "only a newer program can open the account after an import"
        case .unknownSchema, .refused: "an import refuses it"
        case .notKnown: "import result unknown: no passphrase given"
        }
    }

    /// The next step; nil if none is needed.
    static func next(_ report: ArchiveVerificationReport) -> String? {
        switch report.verdict {
        case .unproved:
            "hint: verify again with --passphrase-file, --passphrase-command or --passphrase-fd"
        case .good: nil
        case .entryProblems:
            "hint: export the account again if it still has these files; this archive can be imported"
        case .wrongPassphrase: "hint: verify again with the passphrase from the time of the export"
        case .damaged:
            "hint: export the account again if you still have it, or recover intact entries with 'valise archive salvage'"
        case .newer: "hint: update Valise"
        case .unsupported where report.structure.hiddenCount > 0 && report.structure.refusal == nil:
            "hint: export the account again if you still have it, or find all entries with 'valise archive salvage'"
        case .unsupported: "hint: see above for the reason"
        }
    }
}
