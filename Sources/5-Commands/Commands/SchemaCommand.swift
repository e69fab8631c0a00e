import ArgumentParser
import Valise
import ValiseTerminal

/// `valise schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of an output document.",
        discussion: """
            Commands print documents with --json; the key "type" of a document is the name of its schema. Schemas are \
            strict: they list every key and every value that this version can print. Documents in the form of the \
            official programs have the schemas migrationResult and errorDatabase, or with the suffix SingleField, the form \
            used on Apple systems. Without a name, lists the names of all schemas.
            """)

    @Argument(
        help: "The name of a document.", completion: .list(DocumentSchemas.all.keys.sorted()))
    var name: String?

    @OptionGroup var input: InputOptions

    func run() throws {
        guard let name else {
            return try StandardStreams.printLine(DocumentSchemas.all.keys.sorted().joined(separator: "\n"))
        }
        guard let text = DocumentSchemas.all[name] else {
            throw CommandError(
                .notFound, "no schema has this name", subject: name,
                hints: [Hint("list the names", command: "schema", "")])
        }
        try StandardStreams.printLine(text)
    }
}
