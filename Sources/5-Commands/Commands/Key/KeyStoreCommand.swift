import ArgumentParser
import Valise

struct KeyStoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Put the passphrase of an account into a key store, from where commands take it.",
        discussion: """
            It first has to open both databases. The stores: secret-service, the keyring of the desktop \
            (the default); kernel, in the kernel's memory until the machine restarts at the latest; file, \
            in a private folder, not encrypted. An account that was moved has to be stored again.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("Where to: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice = .usual

    @Flag(help: "Do not check that the passphrase opens the databases.")
    var noCheck = false

    @Flag(help: "Check the passphrase and the store, and store nothing.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = StorePassphrase(of: try account.find(), passphrase: passphrase.choice)
        operation.keyStore = store
        operation.isChecked = !noCheck
        let report =
            try dryRun
            ? output.plan(operation, Answers(passphrase)) : output.run(operation, Answers(passphrase))
        try output.print(report) {
            "\(dryRun ? "would store" : "stored") the passphrase of \(report.account) in the key store "
                + "'\(report.store)'"
        }
    }
}
