import ArgumentParser
import Valise

struct MoveRestore: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a retired account.",
        discussion: """
            Use this only if the account on the other machine was lost or never used. If the same account is used in \
            two places, messages from its contacts cannot be decrypted on either. Changes made there since the move \
            are not included.
            """)

    @OptionGroup var account: AccountOptions

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.place(output)
        let operation = RestoreRetired(location)
        if dryRun.isAsked { return try output.show("moveRestore", would: output.plan(operation).changes) }
        try output.run(operation, Answers(input, consent))
        let folder = location.directory.string
        try output.print(["account": folder], type: "moveRestored") {
            "restored the account in \(folder.withoutControls) as it was when sent"
        }
    }
}
