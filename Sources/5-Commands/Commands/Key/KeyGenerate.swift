import ArgumentParser
import Valise
import ValiseTerminal

struct KeyGenerate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Generate a random passphrase.",
        discussion: """
            As in the official apps, it is 32 random bytes as base64. It is printed, written to a private file with \
            --to, or saved in a key store with --for, where 'valise account create --stored-key' finds it. --for \
            refuses an existing account, because the new passphrase would not open it.
            """)

    @Option(name: .customLong("to"), help: "Write it to this new file, readable only by you.")
    var file: String?

    @Option(name: .customLong("for"), help: "Store it for the account that you will create here.")
    var directory: String?

    @Option(help: "Prefix of its database names.")
    var prefix: String?

    @Option(help: ArgumentHelp("The key store to use: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Replace an existing generated passphrase in the file or key store.")
    var force = false

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard file == nil || directory == nil else {
            throw ValidationError("Use only one of --to and --for")
        }
        guard directory != nil || (store == nil && prefix == nil) else {
            throw ValidationError("--store and --prefix require --for")
        }
    }

    func run() throws {
        var operation = GeneratePassphrase(try destination())
        operation.replaces = force
        operation.mayPrompt = !input.noInput
        if dryRun.isAsked { return try showPlan(operation) }
        let generated = try output.run(operation)
        if file == nil, directory == nil { return try show(generated.passphrase.bytes) }
        try output.print(generated) {
            generated.file.map { "wrote a new passphrase to \($0)" }
                ?? "stored a new passphrase for \(generated.account ?? "") in the key store '\(generated.store ?? "")'"
        }
    }

    private func showPlan(_ operation: GeneratePassphrase) throws {
        let plan = try output.plan(operation)
        let stored = directory.map {
            "store a new passphrase for \($0) in the key store '\((store ?? .usual).name)'"
        }
        try output.show("keyGeneration", would: stored.map { [$0] } ?? [], files: plan)
    }

    private func destination() throws -> GeneratePassphrase.Destination {
        if let file { return .file(FilePath(file)) }
        guard let directory else { return .report }
        return .keyStore(
            store ?? .usual, for: try AccountLocation.place(FilePath(directory), prefix: prefix))
    }

    /// The passphrase is the result. It is copied nowhere on its way out; base64 needs no escaping.
    private func show(_ passphrase: borrowing SecretBytes) throws {
        let (before, after) = output.json ? (#"{"passphrase":""#, #"","type":"keyGenerated"}"#) : ("", "")
        try StandardStreams.writeResult(before.utf8)
        try passphrase.withBytes { try StandardStreams.writeResult($0) }
        try StandardStreams.printLine(after)
    }
}
