import Valise

/// A remedy in the JSON of a failure: what it is and what it is to be done to, and how with this program.
struct RemedyJSON: Encodable {
    /// Nil where only the command line knows what can be done.
    private let remedy: Remedy?
    private let commands: [String]
    private let options: [String]

    /// Nil where neither the failure has a remedy nor a command or an option helps.
    init?(_ failure: any Failure) {
        let hints = failure.ownHints + (failure.remedy.map(RemedyCommand.hints) ?? [])
        remedy = failure.remedy
        commands = RemedyCommand.lines(of: hints)
        options = RemedyCommand.options(of: hints)
        if remedy == nil, commands.isEmpty, options.isEmpty { return nil }
    }

    private enum CodingKeys: String, CodingKey { case kind, commands, options }

    /// The kind of what no library names.
    private static let otherKind = "other"

    func encode(to encoder: any Encoder) throws {
        try remedy?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if remedy == nil { try container.encode(Self.otherKind, forKey: .kind) }
        // Command lines that can be pasted into a shell, and options of the command that failed; each a choice.
        try container.encode(commands, forKey: .commands)
        try container.encode(options, forKey: .options)
    }
}
