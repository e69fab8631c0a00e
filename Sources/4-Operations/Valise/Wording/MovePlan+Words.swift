import SystemPackage
import ValiseAccounts
import ValiseMoves

extension MovePlan {
    /// Imperative clauses, one for each effect.
    package var changes: [String] { effects.map(\.text) }
    /// What the user should know before anything is done.
    package var warnings: [String] { effects.compactMap(\.warning) }
}

extension MovePlan.Effect {
    /// An imperative clause, such as `delete the upload from the relays`.
    fileprivate var text: String {
        switch self {
        case .compareWords(let areGiven):
            areGiven ? "compare the given words" : "compare the words of the other machine"
        case .deleteUpload: "delete the upload from the relays"
        case .retireAccount(let account): "retire the account in \(account.directory.string)"
        case .removeAccount(let account): "remove the account in \(account.directory.string)"
        case .cancelMove(let move): "cancel the move \(move.id) of \(move.directory)"
        case .removeRecord(let record): "remove the record of the \(record.title)"
        case .removeRetired(let account): "remove the retired account in \(account.directory.string)"
        case .restoreRetired(let account, _): "restore the retired account in \(account.directory.string)"
        }
    }

    /// That an account is used on two machines cannot be undone.
    package var warning: String? {
        guard case .restoreRetired(_, let moved) = self else { return nil }
        let when = moved.map { " on \($0.prefix(10))" } ?? ""
        return
            "this account was moved to another machine\(when). If it was used there and is used here again, "
            + "messages from its contacts cannot be decrypted on either machine."
    }
}
