import Valise

/// The confirmation before a retired account is removed or restored.
enum MoveRetired {
    /// - Parameters:
    ///   - operation: what has to be confirmed, for a message.
    ///   - otherwise: the message when the answer is no.
    /// - Throws: ``CommandError``: `invalid` if nobody can be asked, `failed` if the answer is no.
    static func confirm(
        _ question: String, yes: Bool, noInput: Bool, operation: String = "this command",
        otherwise: String = "nothing was changed"
    ) throws {
        if yes { return }
        guard !noInput, Terminal.isThere else {
            throw CommandError(
                .invalid, "\(operation) requires confirmation. Nothing was changed.",
                hints: [Hint("confirm", options: "--yes")])
        }
        guard try Terminal.confirm(question.withoutControls) else {
            throw CommandError(.failed, otherwise)
        }
    }

    /// Prints the result.
    ///
    /// - Parameters:
    ///   - type: the type of the JSON document.
    ///   - mediaLeft: whether media were kept; nil if they are not affected.
    ///   - text: makes the text from the account folder.
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
