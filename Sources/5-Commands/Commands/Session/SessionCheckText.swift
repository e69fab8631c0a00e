import Valise
import ValiseEncoding

extension OutputOptions {
    /// Checks a store of Session, prints the result, and ends with its status.
    func checkSession(
        _ path: FilePath, isQuick: Bool, _ passphrase: PassphraseSource, _ answers: Answers
    ) throws {
        var operation = CheckSession(path, passphrase: passphrase)
        operation.isQuick = isQuick
        let report = try run(operation, answers)
        try print(report, type: "sessionCheck") { SessionCheckText.text(report) }
        switch report.verdict {
        case .intact: break
        case .entryProblems: throw ExitStatusError(status: .entryErrors)
        case .damaged: throw ExitStatusError(status: .damaged)
        }
    }
}

/// The result of a check of a store of Session, for the user.
enum SessionCheckText {
    static func text(_ report: SessionCheckReport) -> String {
        var lines = [database(report)]
        lines += FirstLines.of(report.damage, of: report.damage.count) { $0 }
        let expired = report.expired > 0 ? ", \(report.expired) of them expired" : ""
        lines.append(
            "messages: \(report.messages) in \(Count.text(report.conversations, "conversation"))\(expired)")
        lines.append(attachments(report.attachments))
        lines.append("configurations: \(report.configurations) decoded")
        lines += FirstLines.of(report.problems, of: report.problems.count) { "\($0.name): \($0.message)" }
        lines.append(conclusion(report))
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func database(_ report: SessionCheckReport) -> String {
        let size = Count.bytes(report.databaseSize)
        guard report.damage.isEmpty else {
            let what = report.program == .backup ? "backup" : "database"
            return "\(what): damaged, \(Count.text(report.damage.count, "problem")) (database of \(size))"
        }
        let tables = report.isQuick ? "" : ", tables and indexes consistent"
        return "database: OK; \(size), all pages intact\(tables)"
    }

    private static func attachments(_ counts: AttachmentCheck.Counts) -> String {
        let others = [
            (counts.missing, "missing"), (counts.damaged, "damaged"), (counts.notReceived, "not received"),
            (counts.expired, "of expired messages"),
        ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }
        return "attachments: \(counts.intact) intact" + others.joined()
    }

    private static func conclusion(_ report: SessionCheckReport) -> String {
        switch report.verdict {
        case .intact: "the \(report.program.name) is intact"
        case .entryProblems: "the database is intact; some entries are missing or damaged"
        case .damaged: "the \(report.program.name) is damaged"
        }
    }
}
