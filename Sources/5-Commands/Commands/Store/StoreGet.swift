import ArgumentParser
import Valise
import ValiseEncoding

struct StoreGet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Fetch a file or a folder from a store.",
        discussion: """
            Each chunk is compared with the digest that is its name, and the whole file with its hash, before the file has \
            its name. Of a folder, all files are fetched; the exit status is 3 if some could not be. Symbolic links that \
            lead out of the folder are not made.
            """)

    @OptionGroup var store: StoreArgument

    @Argument(
        help: ArgumentHelp("The file or folder in the store; a dot for all of it.", valueName: "path"))
    var path: String

    @Argument(
        help: ArgumentHelp(
            "What is written. If left out: the same name in the current folder.", valueName: "out"),
        completion: .file())
    var target: String?

    @Flag(help: "Replace files that exist.")
    var force = false

    @Flag(help: "Do not restore permissions and times.")
    var noAttributes = false

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    private var isAll: Bool { path == "." || path == "/" }

    func run() throws {
        let name = path.split(separator: "/").last.map(String.init) ?? "."
        var operation = GetFromStore(
            isAll ? nil : path, from: try options.input(store), to: FilePath(target ?? name))
        operation.replacesFiles = force
        operation.restoresAttributes = !noAttributes
        if dryRun.isAsked {
            return try output.show("storeGet", files: try output.plan(operation, Answers(options)))
        }
        let fetched = try output.run(operation, Answers(options))
        try output.print(fetched, type: "storeFetched") {
            "fetched \(Count.text(fetched.files, "file")) (\(Count.bytes(fetched.size))) to \(fetched.target)"
                .withoutControls
        }
        try output.complain(of: fetched)
    }
}
