import ArgumentParser
import Valise

struct KeyForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove an account's passphrase from the key stores.",
        discussion: """
            The account itself need not exist any more: give the folder as 'valise key list' shows it, folder and \
            prefix in one. Without --store, all key stores of this session are searched.
            """)

    @OptionGroup var account: NamedAccountOptions

    @Option(
        help: ArgumentHelp("Remove it from this key store only: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Never prompt, not even to unlock a keyring.")
    var noInput = false

    @Flag(help: "Show which key stores have it; change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ForgetPassphrase(of: FilePath(account.directory), prefix: account.use.prefix)
        operation.keyStore = store
        operation.mayPrompt = !noInput
        let report = try dryRun ? output.plan(operation) : output.run(operation)
        try output.print(report) {
            "\(dryRun ? "would remove" : "removed") the passphrase of \(report.account) from "
                + report.stores.map { "'\($0)'" }.joined(separator: ", ")
        }
        if let failure = report.failure { throw failure }
    }
}
