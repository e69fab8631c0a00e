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
        if !dryRun.isAsked, !consent.yes { try ask(operation) }
        let report = try dryRun.isAsked ? output.plan(operation) : output.run(operation)
        try output.print(report) {
            ("\(dryRun.isAsked ? "would remove" : "removed") the passphrase of \(report.account) from "
                + report.stores.map { "'\($0)'" }.joined(separator: ", ")).asDryRun(if: dryRun.isAsked)
        }
        if let failure = report.failure { throw failure }
    }

    /// Where no key store would keep the passphrase.
    private func ask(_ operation: ForgetPassphrase) throws {
        let planned = try output.plan(operation)
        var everywhere = operation
        everywhere.keyStore = nil
        let kept = (try? output.plan(everywhere).stores.contains { !planned.stores.contains($0) }) ?? false
        guard !kept else { return }
        try Consent(input, consent).require(
            "This removes the only stored copy of the passphrase. Without it, the account cannot be opened.",
            .name(of: FilePath(planned.account).removingLastComponent()))
    }
}
