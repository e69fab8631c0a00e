import ArgumentParser
import Valise
import ValiseEncoding

struct StoreUnlock: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Test which key opens the encrypted files of a store.",
        discussion: """
            Tries the keys on the first encrypted files, without fetching their content. The command line of tcfs reads a \
            salt as hexadecimal digits, its apps read the same text as it is, and the keys differ: --salt tries both, and \
            says which one is right. The exit status is 12 if no key opens all of the files.
            """)

    @OptionGroup var store: StoreArgument

    @Option(help: ArgumentHelp("Try a salt as digits and as text, with the passphrase.", valueName: "salt"))
    var salt: String?

    @Option(help: ArgumentHelp("Try at most this many files (default: 100).", valueName: "count"))
    var most = 100

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard most > 0 else { throw ValidationError("--most must be at least 1") }
    }

    func run() throws {
        var operation = UnlockStore(try options.input(store, hasOtherPassphrase: salt != nil))
        operation.unknownSalt = salt
        operation.secret = options.keys.given
        operation.most = most
        let report = try output.run(operation, Answers(options))
        try output.print(report, type: "storeUnlocked") { Self.text(report) }
        if !report.isUnlocked { throw ExitStatusError(status: .wrongPassphrase) }
    }

    private static func text(_ report: UnlockedStore) -> String {
        let files = Count.text(report.encrypted, "encrypted file")
        guard !report.trials.isEmpty else { return "\(files); no key was given" }
        return report.trials.map { trial in
            let result =
                trial.opened == report.encrypted
                ? "opens \(files)" : trial.opened == 0 ? "wrong" : "opens \(trial.opened) of \(files)"
            return "\(words(trial.key)): \(result)"
        }.joined(separator: "\n")
    }

    private static func words(_ key: UnlockedStore.Key) -> String {
        switch key {
        case .file: "key file"
        case .saltHex: "passphrase with --salt-hex"
        case .saltText: "passphrase with --salt-text"
        case .recoveryPhrase: "recovery phrase"
        case .identity: "identity of a device"
        }
    }
}
