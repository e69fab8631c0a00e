import ArgumentParser
import Valise
import ValiseEncoding

struct StoreDiff: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare a folder with a store.",
        discussion: """
            Files are compared by their digests; those of the store are not fetched. Each line has + for a file that only \
            the folder has, - for one that only the store has, and M for one that differs. Exits with 0 even if they \
            differ; with --exit-code, exits with 20 if they do. Exits with 3 if files could not be compared.
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Flag(help: "Exit with status 20 if they differ.")
    var exitCode = false

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let compared = try output.run(
            CompareStore(try options.input(store), with: FilePath(folder)), Answers(options))
        try output.print(compared, type: "storeDiff") { Self.text(compared) }
        try output.complain(of: compared)
        if exitCode, !compared.isSame { throw ExitStatusError(status: .workDue) }
    }

    private static func text(_ compared: ComparedStore) -> String {
        let count = compared.changed + compared.added + compared.removed
        var lines = FirstLines.of(compared.differences, of: count, indent: "") { line($0) }
        lines.append(
            compared.isSame
                ? "the same \(Count.text(compared.same, "file"))"
                : "\(compared.same) the same, \(compared.changed) changed, \(compared.added) only in the folder, "
                    + "\(compared.removed) only in the store")
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func line(_ difference: ComparedStore.Difference) -> String {
        let mark =
            switch difference.state {
            case "added": "+"
            case "removed": "-"
            default: "M"
            }
        return "\(mark) \(difference.path)"
    }
}
