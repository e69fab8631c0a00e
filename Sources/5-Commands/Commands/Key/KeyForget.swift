import ArgumentParser
import Valise

struct KeyForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove an account's passphrase from the key stores.",
        discussion: """
            The account no longer has to exist. Name it as 'valise key list' shows it: folder and prefix in one. \
            Without --store, all key stores of this session are searched. To remove the only stored copy, type the \
            name of the account folder, or add --yes.
            """)

    @OptionGroup var account: NamedAccountOptions

    @Option(
        help: ArgumentHelp("Remove it from this key store only: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ForgetPassphrase(of: FilePath(account.directory), prefix: account.use.prefix)
        operation.keyStore = store
        operation.mayPrompt = !input.noInput
        let report = try output.run(operation, Answers(input, consent), dryRun)
        try output.print(report) {
            ("\(dryRun.isAsked ? "would remove" : "removed") the passphrase of \(report.account) from "
                + report.stores.map { "'\($0)'" }.joined(separator: ", ")).asDryRun(if: dryRun.isAsked)
        }
        if let failure = report.failure { throw failure }
    }
}
