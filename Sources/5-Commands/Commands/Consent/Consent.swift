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

    init(canAsk: Bool, isGiven: Bool) { (self.canAsk, self.isGiven) = (canAsk, isGiven) }

    init(_ input: InputOptions, _ options: ConsentOptions) {
        self.init(canAsk: input.canAsk, isGiven: options.yes)
    }

    init(_ passphrase: PassphraseSourceOptions, _ options: ConsentOptions) {
        self.init(passphrase.input, options)
    }

    /// - Parameter operation: what needs it, for a message.
    /// - Throws: ``CommandError``: `invalid` if nobody can be asked, `failed` if the answer is no.
    func require(_ question: String, _ form: Form = .yesOrNo, operation: String = "this command") throws {
        guard try isAnswered(question, form, operation: operation) else { throw CommandError.declined }
    }

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

    /// Asks whoever is at the terminal, with a question that is made only then; scripts are not asked.
    func requireAtTerminal(_ question: @autoclosure () throws -> String, _ form: Form = .yesOrNo) throws {
        let isAtTerminal = StandardStreams.inputIsTerminal && StandardStreams.errorIsTerminal
        if !isGiven, canAsk, isAtTerminal { try require(question(), form) }
    }
}

extension CommandError {
    /// The answer was no.
    static let declined = CommandError(.failed, Declined.sentence)
}
