import Valise

extension ArchiveVerifyText {
    /// What was not looked at, in lines of its own: silence would claim too much.
    static func unproved(_ list: [Unproved]) -> [String] {
        list.map { item in
            let database = item.database.map { " (\($0.rawValue))" } ?? ""
            return "  not proved: \(words(item.subject))\(database), \(words(item.reason))"
        }
    }

    private static func words(_ subject: Unproved.Subject) -> String {
        switch subject {
        case .pages: "that every page is what was written"
        case .tables: "that tables, indexes and references agree"
        case .schema: "which schema it has"
        case .media: "which files belong to messages, and that their tags hold"
        }
    }

    private static func words(_ reason: Unproved.Reason) -> String {
        switch reason {
        case .noPassphrase: "because no passphrase was given"
        case .wrongPassphrase: "because the passphrase is wrong"
        case .damaged: "because of the damage above"
        case .notEncrypted: "because only encrypted pages carry a proof; the zip's checksum is all there is"
        case .unsupported: "because the database is none that this program knows"
        }
    }

    static func verdict(_ report: ArchiveVerificationReport) -> String {
        let isPartial =
            report.contents?.problemCount == 0
            && report.media.map { $0.count(.missing) } == report.mediaProblemCount
        return switch report.verdict {
        case .unproved: "the zip file is whole; whether the databases are, only the passphrase can tell"
        case .good: "the archive is good; \(outlook(report))"
        case .entryProblems where isPartial:
            "nothing is damaged: both databases are good, and some media are not in the archive; "
                + outlook(report)
        case .entryProblems where report.importOutlook == .notKnown:
            "some entries are damaged; whether the databases are good, only the passphrase can tell"
        case .entryProblems:
            "both databases are good; some other entries or media are damaged or not in order; "
                + outlook(report)
        case .wrongPassphrase: "the passphrase is wrong: it opens neither database"
        case .damaged: "the archive is damaged"
        case .newer: "the archive is whole, and was made by a newer program than this one"
        case .unsupported: "the archive is nothing that an import takes"
        }
    }

    private static func outlook(_ report: ArchiveVerificationReport) -> String {
        switch report.importOutlook {
        case .ready: "an import gives an account that is ready for use"
        case .upgradeNeeded where report.schemas.allSatisfy { $0.1.origin == .valise }:
            "an import gives an account whose schema has to be upgraded first, by 'valise migrate run'"
        case .upgradeNeeded:
            "an import gives an account whose schema an app upgrades when it opens it"
        case .newerThanKnown: "an import gives an account that only a newer program opens"
        case .unknownSchema, .refused: "an import refuses it"
        case .notKnown: "what an import gives, only the passphrase can tell"
        }
    }

    /// What to do next; nil where nothing is to be done.
    static func next(_ report: ArchiveVerificationReport) -> String? {
        switch report.verdict {
        case .unproved:
            "next: verify again with --passphrase-file, --passphrase-command or --passphrase-fd"
        case .good: nil
        case .entryProblems:
            "next: make a new archive if the account still has these files; this one can be imported"
        case .wrongPassphrase: "next: verify again with the passphrase of the time when the archive was made"
        case .damaged:
            "next: make a new archive if the account is still there; 'valise archive salvage' saves what is whole in "
                + "this one"
        case .newer: "next: update this program"
        case .unsupported where report.structure.hiddenCount > 0 && report.structure.refusal == nil:
            "next: make a new archive if the account is still there; 'valise archive salvage' finds everything that "
                + "lies in this one"
        case .unsupported: "next: see above what is refused"
        }
    }
}
