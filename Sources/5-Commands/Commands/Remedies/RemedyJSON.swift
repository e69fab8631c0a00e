import Valise

/// A remedy in the JSON of a failure: what it is and what it is to be done to, and how with this program.
struct RemedyJSON: Encodable {
    let remedy: Remedy

    private enum CodingKeys: String, CodingKey { case commands, options }

    func encode(to encoder: any Encoder) throws {
        try remedy.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Command lines that can be pasted into a shell, and options of the command that failed; each a choice.
        try container.encode(RemedyCommand.lines(remedy), forKey: .commands)
        try container.encode(RemedyCommand.options(remedy), forKey: .options)
    }
}
