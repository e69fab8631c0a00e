import ArgumentParser
import Valise

struct KeyForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove the passphrase of an account from the key stores.",
        discussion: """
            The account itself need not be there any more: give the folder as 'valise key list' shows it, \
            folder and prefix in one. Without --store, every store of this session is looked into.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("From where only: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @Flag(help: "Never ask, not even to unlock a keyring.")
    var noInput = false

    @Flag(help: "Only tell which stores have it.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ForgetPassphrase(of: FilePath(account.directory), prefix: account.prefix)
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
