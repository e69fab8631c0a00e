import Valise
import ValiseEncoding

/// The result of a check, for the user.
struct AccountCheckText {
    let report: AccountCheckReport
    /// For a damaged account.
    let salvage: [Hint]

    var text: String {
        // The same of both databases is said once.
        if report.verdict == .wrongPassphrase { return conclusion }
        var lines: [String] = []
        for (database, findings) in report.databases { lines += describe(database, findings) }
        if let agreement = report.agreement { lines += describe(agreement) }
        if let media = report.media { lines += describe(media) }
        lines.append(conclusion)
        if report.verdict == .damaged, report.isSalvageable { lines += salvage.map(\.note) }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func describe(_ database: AccountDatabase, _ findings: DatabaseFindings) -> [String] {
        let name = database.rawValue
        guard findings.key != .wrong || findings.problemCount > 0 else {
            return ["\(name): wrong passphrase"]
        }
        if findings.isIntact { return ["\(name): OK; \(work(findings))"] }
        if findings.isMissing { return ["\(name): missing"] }
        let what = findings.danglingRows.map(dangling)
        let lines = ["\(name): \(what ?? "damaged, \(Count.text(findings.problemCount, "problem"))")"]
        return lines + FirstLines.of(findings.problems, of: findings.problemCount) { "\($0.message)" }
    }

    private func dangling(_ rows: Int64) -> String {
        "the pages are intact; references to missing rows in \(Count.text(rows, "row"))"
    }

    private func work(_ findings: DatabaseFindings) -> String {
        var parts = [Count.bytes(findings.size)]
        if findings.checkedHMACs > 0 {
            parts.append("\(Count.text(Int(findings.checkedHMACs), "page")) intact")
        }
        if findings.form == .unencrypted { parts.append("not encrypted, so pages have no HMAC") }
        if findings.form == .encrypted, findings.cipherFormat != 4 {
            parts.append(
                findings.cipherFormat.map { "cipher format \($0)" } ?? "custom cipher settings")
        }
        if findings.isWalked { parts.append("tables and indexes consistent") }
        if findings.hadJournal { parts.append("with the journal of a crashed program applied to a copy") }
        return parts.joined(separator: ", ")
    }

    private func describe(_ agreement: DatabaseAgreement) -> [String] {
        var lines: [String] = []
        if !agreement.isIntact {
            lines.append("the databases do not match: \(agreement.contradiction)")
        }
        if agreement.connectionsWithoutAgent > 0, !agreement.isOfAnotherAccount {
            lines.append(
                "note: the agent database lacks "
                    + "\(Count.text(Int(agreement.connectionsWithoutAgent), "connection"))"
                    + " of the chat database; their contacts cannot be reached")
        }
        return lines
    }

    private func describe(_ media: MediaFindings) -> [String] {
        var lines = ["media: \(media.whole) of \(Count.text(media.referenced, "file")) intact"]
        lines += FirstLines.of(media.problems, of: media.missingCount + media.differingCount) { file in
            guard let size = file.size else { return "\(file.name) is missing" }
            let (found, expected) = Count.bytes(size, and: file.expectedSize)
            return "\(file.name) has \(found) instead of \(expected)"
        }
        if media.unreferencedCount > 0 {
            lines.append(
                "  \(Count.text(media.unreferencedCount, "unreferenced file")), "
                    + Count.bytes(media.unreferencedSize))
        }
        if media.elsewhere > 0 {
            lines.append("  \(Count.text(media.elsewhere, "file")) outside the account, not checked")
        }
        return lines
    }

    private var conclusion: String {
        switch report.verdict {
        case .intact: "the account is intact"
        case .mediaProblems: "the databases are intact; some media are missing or differ"
        case .damaged where report.missing.count == 1:
            "the account cannot be used: the \(report.missing[0].rawValue) database is missing"
        case .damaged: report.danglingRows.map(dangling) ?? "the account is damaged"
        case .wrongPassphrase: "wrong passphrase"
        }
    }
}
