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

    /// - Parameters:
    ///   - operation: what needs it, for a message.
    ///   - otherwise: ends the message when the answer is no.
    /// - Throws: ``CommandError``: `invalid` if nobody can be asked, `failed` if the answer is no.
    func require(
        _ question: String, _ form: Form = .yesOrNo, operation: String = "this command",
        otherwise: String = "Nothing was changed."
    ) throws {
        guard try isAnswered(question, form, operation: operation, otherwise: "Nothing was changed.") else {
            throw CommandError(.failed, "not confirmed. \(otherwise)")
        }
    }

    /// - Parameter otherwise: ends the message that nobody can be asked.
    /// - Returns: the answer.
    /// - Throws: ``CommandError``, `invalid`, if nobody can be asked.
    func isAnswered(_ question: String, _ form: Form, operation: String, otherwise: String) throws -> Bool {
        if isGiven { return true }
        guard canAsk else {
            throw CommandError(
                .invalid, "\(operation) requires confirmation. \(otherwise)",
                hints: [Hint("confirm", options: "--yes")])
        }
        let question = question.withoutControlsInLines
        return switch form {
        case .yesOrNo: try Terminal.confirm(question)
        case .name(let folder): try Terminal.confirm(question, typing: folder.typedName)
        }
    }
}
