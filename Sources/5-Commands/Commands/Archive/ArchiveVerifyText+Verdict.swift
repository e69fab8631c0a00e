import Valise
import ValiseTerminal

extension ArchiveVerifyText {
    /// A line for each check that was not made: silence would claim too much.
    static func unproved(_ report: ArchiveVerificationReport) -> [String] {
        if report.isWithoutAccount { return [] }
        return report.notProved.map { item in
            let database = item.database.map { " (\($0.rawValue))" } ?? ""
            let reason =
                item.reason == .damaged && !report.missing.isEmpty
                ? "a database is missing" : words(item.reason, hasChecksums: hasChecksums(report))
            return "  not verified: \(words(item.subject))\(database): \(reason)"
        }
    }

    /// A tar or a cpio has none of its contents, and Zstandard may have none.
    static func hasChecksums(_ report: ArchiveVerificationReport) -> Bool {
        !["tar", "cpio", "zstd"].contains(report.container)
    }

    private static func words(_ subject: Unproved.Subject) -> String {
        switch subject {
        case .pages: "page integrity"
        case .tables: "consistency of tables, indexes and references"
        case .schema: "schema"
        case .media: "media against the messages, and media tags"
        }
    }

    private static func words(_ reason: Unproved.Reason, hasChecksums: Bool) -> String {
        switch reason {
        case .noPassphrase: "no passphrase given"
        case .wrongPassphrase: "wrong passphrase"
        case .damaged: "damaged, see above"
        case .notEncrypted where !hasChecksums: "neither unencrypted pages nor the archive have checksums"
        case .notEncrypted: "unencrypted pages have no HMAC, only the archive's checksum"
        case .unsupported: "unknown database"
        }
    }

    static func verdict(_ report: ArchiveVerificationReport) -> String {
        let isPartial =
            report.contents?.problemCount == 0
            && report.media.map { $0.count(.missing) } == report.mediaProblemCount
        return switch report.verdict {
        case .unverified:
            "the \(report.container == nil ? "zip file" : "archive") is intact; databases not verified: "
                + "no passphrase given"
        case .intact: "the archive is intact; \(outlook(report))"
        case .entryProblems where isPartial:
            "both databases are intact; some media are missing from the archive; " + outlook(report)
        case .entryProblems where report.importOutlook == .notKnown:
            "some entries are damaged; databases not verified: no passphrase given"
        case .entryProblems:
            "both databases are intact; other files are damaged or inconsistent; " + outlook(report)
        case .wrongPassphrase: "wrong passphrase"
        case .damaged where report.isWithoutAccount && report.contents?.files == 0: "the archive is empty"
        case .damaged where report.isWithoutAccount: "the archive is intact, but not an account archive"
        case .damaged where report.isOnlyIncomplete:
            "no entry is damaged, but \(report.missing.count > 1 ? "both databases are" : "a database is") missing"
        case .damaged: "the archive is damaged"
        case .newer: "the archive is intact, but was made by a newer program"
        case .unsupported: "the archive cannot be imported"
        }
    }

    private static func outlook(_ report: ArchiveVerificationReport) -> String {
        switch report.importOutlook {
        case .ready: "ready to import"
        case .upgradeNeeded where report.schemas.allSatisfy { $0.1.origin == .valise }:
            "after an import, its schema must be upgraded"
        case .upgradeNeeded:
            "after an import, the app upgrades the schema when it opens the account"
        case .newerThanKnown: "only a newer program can open the account after an import"
        case .unknownSchema, .refused: "an import refuses it"
        case .notKnown: "import result unknown: no passphrase given"
        }
    }

    /// The next steps, alternatives where there are several; none where nothing is to be done.
    var next: [String] {
        let again = "if you still have the account, export it again"
        return switch report.verdict {
        case .unverified:
            ["verify again with --passphrase-file, --passphrase-command or --passphrase-fd"]
        case .intact: []
        case .entryProblems:
            ["export the account again if it still has these files; this archive can be imported"]
        case .wrongPassphrase: ["verify again with the passphrase from the time of the export"]
        case .damaged where report.isWithoutAccount: []
        case .damaged where !report.isSalvageable || report.isOnlyIncomplete: [again]
        case .damaged:
            [again, salvage("recover \(report.container == nil ? "intact" : "readable") entries")]
        case .newer: ["update Valise"]
        case .unsupported where report.structure.hiddenCount > 0 && report.structure.refusal == nil:
            [again, salvage("recover all entries")]
        case .unsupported: ["see above for the reason"]
        }
    }

    /// Into a new archive beside this one.
    private func salvage(_ action: String) -> String {
        let isFile = report.archive != ArchiveInput.standardInput
        let paths = isFile ? RemedyCommand.salvage(FilePath(report.archive)) : nil
        return Hint(action, command: "archive salvage", paths).text
    }
}
