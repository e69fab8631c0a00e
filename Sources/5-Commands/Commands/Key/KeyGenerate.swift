import ArgumentParser
import Valise

struct KeyGenerate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a random passphrase as the official apps do: 32 bytes as base64.",
        discussion: """
            It is printed, written into a private file with --to, or put into a key store with --for, where \
            'valise account create --stored-key' finds it. A passphrase that is stored for an account that \
            is there would not open it, so that is refused.
            """)

    @Option(name: .customLong("to"), help: "Write it into this new file, readable by you alone.")
    var file: String?

    @Option(name: .customLong("for"), help: "Store it for the account that is going to be made here.")
    var directory: String?

    @Option(help: "What the names of its databases are going to start with.")
    var prefix: String?

    @Option(help: ArgumentHelp("Where to store it: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Replace a generated passphrase in the file or the key store, if there is one.")
    var force = false

    @Flag(help: "Never ask, not even to unlock a keyring.")
    var noInput = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard file == nil || directory == nil else {
            throw ValidationError("Give only one of --to and --for.")
        }
        guard directory != nil || (store == nil && prefix == nil) else {
            throw ValidationError("--store and --prefix go with --for.")
        }
    }

    func run() throws {
        var operation = GeneratePassphrase(try destination())
        operation.replaces = force
        operation.mayPrompt = !noInput
        let generated = try output.run(operation)
        if file == nil, directory == nil { return try show(generated.passphrase.bytes) }
        try output.print(generated) {
            generated.file.map { "wrote a new passphrase into \($0)" }
                ?? "stored a new passphrase for \(generated.account ?? "") in the key store '\(generated.store ?? "")'"
        }
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
