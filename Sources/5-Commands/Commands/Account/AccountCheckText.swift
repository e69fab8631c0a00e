import Valise

/// What a check found, for a user.
struct AccountCheckText {
    private let report: AccountCheckReport
    private static let mostLines = 20

    init(_ report: AccountCheckReport) {
        self.report = report
    }

    var text: String {
        var lines: [String] = []
        for (database, findings) in report.databases { lines += describe(database, findings) }
        if let agreement = report.agreement { lines += describe(agreement) }
        if let media = report.media { lines += describe(media) }
        lines.append(conclusion)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func describe(_ database: AccountDatabase, _ findings: DatabaseFindings) -> [String] {
        let name = database.rawValue
        guard findings.key != .wrong || findings.problemCount > 0 else {
            return ["\(name): the passphrase does not open it"]
        }
        if findings.isWhole { return ["\(name): whole; \(work(findings))"] }
        var lines = ["\(name): damaged, \(Count.text(findings.problemCount, "problem"))"]
        lines += findings.problems.prefix(Self.mostLines).map { "  \($0.message)" }
        if findings.problemCount > Self.mostLines {
            let more = findings.problemCount - Self.mostLines
            lines.append(
                "  " + Count.more(more, listed: findings.problems.count, of: findings.problemCount))
        }
        return lines
    }

    private func work(_ findings: DatabaseFindings) -> String {
        var parts = [ByteCount.text(findings.size)]
        if findings.checkedHMACs > 0 { parts.append("\(findings.checkedHMACs) pages hold") }
        if findings.form == .unencrypted { parts.append("not encrypted, so that pages carry no HMAC") }
        if findings.form == .encrypted, findings.cipherFormat != 4 {
            parts.append(
                findings.cipherFormat.map { "cipher format \($0)" } ?? "cipher settings of its own")
        }
        if findings.isWalked { parts.append("tables and indexes agree") }
        if findings.hadJournal { parts.append("with the journal of a crashed program folded in on a copy") }
        return parts.joined(separator: ", ")
    }

    private func describe(_ agreement: DatabaseAgreement) -> [String] {
        var lines: [String] = []
        if !agreement.isGood {
            lines.append("the databases do not belong together: \(agreement.contradiction)")
        }
        if agreement.connectionsWithoutAgent > 0, !agreement.isOfAnotherAccount {
            lines.append(
                "note: \(agreement.connectionsWithoutAgent) connections of the chat database are not in the agent "
                    + "database; their contacts cannot be reached")
        }
        return lines
    }

    private func describe(_ media: MediaFindings) -> [String] {
        var lines = ["media: \(media.whole) of \(Count.text(media.referenced, "file")) are there and whole"]
        lines += media.problems.prefix(Self.mostLines).map { file in
            guard let size = file.size else { return "  \(file.name) is missing" }
            return "  \(file.name) has \(size) bytes instead of \(file.expectedSize)"
        }
        let count = media.missingCount + media.differingCount
        if count > Self.mostLines {
            lines.append(
                "  " + Count.more(count - Self.mostLines, listed: media.problems.count, of: count))
        }
        if media.unreferencedCount > 0 {
            lines.append(
                "  no message refers to \(Count.text(media.unreferencedCount, "file")), "
                    + ByteCount.text(media.unreferencedSize))
        }
        if media.elsewhere > 0 {
            lines.append("  \(Count.text(media.elsewhere, "file")) lie elsewhere and were not looked at")
        }
        return lines
    }

    private var conclusion: String {
        switch report.verdict {
        case .whole: "the account is whole"
        case .mediaProblems: "the databases are whole; some media are missing or differ"
        case .damaged: "the account is damaged; 'valise account salvage' saves what can be read"
        case .wrongPassphrase: "the passphrase is wrong: it opens neither database"
        }
    }
}

extension DatabaseAgreement {
    /// Why the databases do not belong together.
    var contradiction: String {
        guard usersWithoutAgent > 0 else {
            return "none of the \(connections) connections of the chat database is in the agent database"
        }
        return "\(usersWithoutAgent) users of the chat database are not in the agent database"
    }
}
