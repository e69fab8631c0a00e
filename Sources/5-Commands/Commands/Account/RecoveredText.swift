import Valise

/// How an interrupted operation ended, for the user.
enum RecoveredText {
    static func text(_ report: RecoveredAccount) -> String {
        let ending = report.outcome ?? .unknown
        let change = report.change ?? "change"
        let sentence =
            switch ending {
            case .completed: report.record?.recovery?.done.text ?? "the \(change) is in place"
            case .rolledBack:
                report.record?.recovery?.done.text
                    ?? "the \(change) had not started; the account is unchanged"
            case .unknown: "no interrupted operation found; nothing was changed"
            }
        return (["\(report.account): \(sentence)"] + (report.passphrase.map { [$0.sentence(ending)] } ?? []))
            .joined(separator: "\n")
    }
}

extension OpeningPassphrase {
    /// - Parameter ending: of the change.
    fileprivate func sentence(_ ending: JobEnding) -> String {
        switch self {
        case .previous: "the previous passphrase opens the account; to change it, run the command again"
        case .new: "the new passphrase opens the account"
        case .unchanged: "the passphrase is the same as before"
        case .notNeeded where ending == .rolledBack:
            "the account is not encrypted, as before; to set a passphrase, run the command again"
        case .notNeeded: "the account is not encrypted; it needs no passphrase"
        case .unknown: "the account opens with either the previous or the new passphrase"
        }
    }
}
