import Valise
import ValiseTerminal

/// The user's consent: given on the command line, or asked for at the terminal.
struct Consent: Sendable {
    /// How it is asked for.
    enum Form: Sendable {
        case yesOrNo
        /// What cannot be undone: the name of the account's folder is typed.
        case name(of: FilePath)
    }

    let canAsk: Bool
    let isGiven: Bool

    /// - Returns: the answer.
    /// - Throws: ``CommandError``, `invalid`, if nobody can be asked.
    func isAnswered(_ question: String, _ form: Form = .yesOrNo, operation: String) throws -> Bool {
        guard try mustAsk(operation) else { return true }
        let question = question.withoutControlsInLines
        return switch form {
        case .yesOrNo: try Terminal.confirm(question)
        case .name(let folder): try Terminal.confirm(question, typing: folder.typedName)
        }
    }

    /// Whether the user has to be asked.
    /// - Parameter detail: of what would be done, for the message; may be empty.
    /// - Throws: ``CommandError``, `invalid`, if nobody can be.
    func mustAsk(_ operation: String, _ detail: String = "") throws -> Bool {
        if isGiven || canAsk { return !isGiven }
        throw CommandError(
            .invalid, "\(operation) requires confirmation\(detail). Nothing was changed.",
            hints: [Hint("confirm", options: "--yes")])
    }

    /// The answer of whoever is at the terminal; yes where nobody is, and where nobody may be asked.
    func isAnsweredAtTerminal(_ question: String, _ form: Form) throws -> Bool {
        let isAtTerminal = StandardStreams.inputIsTerminal && StandardStreams.errorIsTerminal
        guard !isGiven, canAsk, isAtTerminal else { return true }
        return try isAnswered(question, form, operation: "")
    }
}

extension CommandError {
    /// The answer was no.
    static let declined = CommandError(.failed, Declined.sentence)
}
