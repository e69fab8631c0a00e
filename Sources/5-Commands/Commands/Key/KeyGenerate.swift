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
        let passphrase = try SecretBytes.generatedPassphrase()
        if let file {
            let path = FilePath(file)
            try PrivateFile.write(passphrase, to: path, endsLine: true, force: force, .generatedPassphrase)
            try report(Result(file: path.string)) { "wrote a new passphrase into \(path)" }
        } else if let directory {
            try keep(passphrase, FilePath(directory))
        } else {
            try show(passphrase)
        }
    }

    private func keep(_ passphrase: borrowing SecretBytes, _ directory: FilePath) throws {
        let location = try AccountLocation.place(directory, prefix: prefix)
        for database in AccountDatabase.allCases {
            let form = try DatabaseFile(location.path(of: database), fileSystem: FileSystem()).form
            guard form == .missing else {
                throw CommandError(
                    .alreadyExists, "an account is here, which a new passphrase would not open",
                    subject: location.directory.string)
            }
        }
        let store = try KeyStores.ofUser(noInput: noInput).store(self.store ?? .usual)
        let owner = try KeyOwner(location)
        if !force, try store.lookup(owner) != nil {
            throw CommandError(
                .alreadyExists,
                "the key store '\(store.name)' already has a passphrase; replace it with --force",
                subject: owner.name)
        }
        try store.store(passphrase, for: owner)
        try report(Result(store: store.name, account: owner.name)) {
            "stored a new passphrase for \(owner.name) in the key store '\(store.name)'"
        }
    }

    private func report(_ result: Result, _ text: () -> String) throws {
        try output.print(result, text: text)
    }

    /// The passphrase is the result. It is copied nowhere on its way out; base64 needs no escaping.
    private func show(_ passphrase: borrowing SecretBytes) throws {
        let (before, after) = output.json ? (#"{"passphrase":""#, #"","type":"keyGenerated"}"#) : ("", "")
        try StandardStreams.writeResult(before.utf8)
        try passphrase.withBytes { try StandardStreams.writeResult($0) }
        try StandardStreams.printLine(after)
    }

    private struct Result: Encodable {
        let type = "keyGenerated"
        var file: String?
        var store: String?
        var account: String?
    }
}
