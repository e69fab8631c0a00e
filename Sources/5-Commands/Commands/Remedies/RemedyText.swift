import Valise

/// Remedies in the words of the command line.
enum RemedyText {
    /// For ``Failure/description(remedies:)`` and ``Remark/text(_:)``: sentences of their own.
    static let words: RemedyWords = { text($0) }

    /// Nil where the message says what to do.
    static func text(_ remedy: Remedy) -> String? {
        let hints = RemedyCommand.hints(remedy)
        return hints.isEmpty ? nil : hints.map(\.sentence).joined(separator: " ")
    }
}

extension Failure {
    /// The description with what can be done, in one paragraph.
    var text: String { ([description(remedies: RemedyText.words)] + ownHints.map(\.sentence)).asSentences }

    /// The text without control characters: names out of archives could drive the terminal.
    var printable: String { text.withoutControls }

    /// The description, then a line for each hint, as standard error shows a failure.
    var lines: [String] { ([description] + hints.map(\.note)).map(\.withoutControls) }

    /// What only the command line can name.
    var ownHints: [Hint] {
        switch self {
        case let error as CommandError: error.hints
        case let error as ReportedFailure: error.failure.ownHints
        default: []
        }
    }

    /// What can be done about this failure and about its causes, each once.
    private var hints: [Hint] {
        let below = (cause as? any Failure)?.hints ?? []
        let all = ownHints + (remedy.map(RemedyCommand.hints) ?? []) + below
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Remark {
    /// The sentence with what can be done, for the user.
    var text: String { text(RemedyText.words) }
}
