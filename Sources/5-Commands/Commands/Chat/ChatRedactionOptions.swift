import ArgumentParser
import Valise

/// What is kept back where messages are given to others.
struct ChatRedactionOptions: ParsableArguments {
    /// What is left out of a redacted export; `all` is everything.
    enum Word: String, CaseIterable {
        case names, phones, links, media, all
    }

    @Option(
        help: ArgumentHelp(
            "Redact these, separated by commas: names, phones, links, media, or all. Repeatable.",
            valueName: "what"))
    var redact: [CommaList<Word>] = []

    @Option(
        help: ArgumentHelp("File with rules for redaction, one per line.", valueName: "file"),
        completion: .file())
    var redactRules: String?

    /// - Throws: what is wrong with the file of rules.
    func redaction() throws -> ChatRedaction {
        var redaction = ChatRedaction()
        for word in redact.flatMap(\.elements) {
            redaction.categories.formUnion(ChatRedaction.categories(named: word.rawValue) ?? [])
        }
        if let redactRules { redaction.add(try ChatRedaction(rulesAt: FilePath(redactRules))) }
        return redaction
    }
}
