import ArgumentParser
import Valise

struct KeyStoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Save an account's passphrase in a key store.",
        discussion: """
            Commands then take it from there. The passphrase must open both databases. Key stores: secret-service, \
            the desktop keyring (the default); kernel, in kernel memory, lost at the latest when the machine \
            restarts; file, in a private folder, not encrypted. After moving an account, store its passphrase again.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("The key store to use: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice = .usual

    @Flag(help: "Do not check that the passphrase opens the databases.")
    var noCheck = false

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = StorePassphrase(of: try account.find(output), passphrase: passphrase.choice)
        operation.keyStore = store
        operation.isChecked = !noCheck
        let report = try output.run(operation, Answers(passphrase), dryRun)
        try output.print(report) {
            ("\(dryRun.isAsked ? "would store" : "stored") the passphrase of \(report.account) "
                + "in the key store '\(report.store)'").asDryRun(if: dryRun.isAsked)
        }
    }
}
