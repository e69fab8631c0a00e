import Valise

/// What is asked before an account is removed that was moved away, or brought back.
enum MoveRetired {
    /// - Parameters:
    ///   - operation: what asks, as the user knows it.
    ///   - otherwise: the sentence for no.
    /// - Throws: ``CommandError``: `invalid` where nobody can be asked, `failed` for no.
    static func confirm(
        _ question: String, yes: Bool, noInput: Bool, operation: String = "this",
        otherwise: String = "nothing was changed"
    ) throws {
        if yes { return }
        guard !noInput, Terminal.isThere else {
            throw CommandError(
                .invalid,
                "\(operation) asks first and nobody can be asked; add --yes if you mean it; nothing was changed"
            )
        }
        guard try Terminal.confirm(question.withoutControls) else {
            throw CommandError(.failed, otherwise)
        }
    }

    /// Tells that it was done.
    ///
    /// - Parameters:
    ///   - type: of the JSON document.
    ///   - mediaLeft: where that is a question.
    ///   - text: with the account's folder.
    static func tell(
        _ location: AccountLocation, _ output: OutputOptions, type: String, mediaLeft: Bool? = nil,
        text: (String) -> String
    ) throws {
        let folder = location.directory.string
        try output.print(Result(account: folder, mediaLeft: mediaLeft), type: type) {
            text(folder.withoutControls)
        }
    }

    private struct Result: Encodable {
        let account: String
        let mediaLeft: Bool?
    }
}
