import ArgumentParser
import Valise
import ValiseEncoding

struct StorePut: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Store a file in a store.",
        discussion: """
            The file is encrypted if the master key of the store is given. Only chunks that the store lacks are sent, \
            unless the file is encrypted: each upload has a key of its own. Readers see the previous file or the new one, \
            at any moment.
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The file to store.", completion: .file())
    var file: String

    @Argument(
        help: ArgumentHelp(
            "Its path in the store, or the folder for it with a slash at the end. If left out: its name.",
            valueName: "path"))
    var path: String?

    @Flag(help: "Replace another file that the store has under this path.")
    var force = false

    @OptionGroup var writing: StoreWritingOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var input = try options.input(store)
        input.device = writing.device
        var operation = PutIntoStore(FilePath(file), into: input)
        operation.path = path
        operation.replacesFile = force
        operation.writing = writing.writing
        let stored = try output.run(operation, Answers(options), dryRun)
        try output.print(stored, type: dryRun.isAsked ? "storePutPlan" : "storePut") { text(stored) }
    }

    private func text(_ stored: PutInStore) -> String {
        let size = Count.bytes(stored.size)
        let path = stored.path.withoutControls
        if dryRun.isAsked {
            let verb = stored.outcome == .replaced ? "replace" : "store"
            return "would \(verb) \(path) (\(size))".asDryRun()
        }
        switch stored.outcome {
        case .unchanged: return "\(path) is stored already (\(size))"
        case .added, .replaced:
            let verb = stored.outcome == .replaced ? "replaced" : "stored"
            return "\(verb) \(path) (\(size)); \(Count.text(stored.storedChunks, "new chunk")) of "
                + "\(stored.chunks), \(Count.bytes(stored.storedSize))"
        }
    }
}
