import ArgumentParser
import Valise

struct MoveRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Permanently remove a retired account.",
        discussion: """
            Removes the databases and media. Only an account retired by 'valise move finish' can be removed.
            """)

    @OptionGroup var account: AccountOptions

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.place(output)
        let operation = RemoveRetired(location)
        if dryRun.isAsked { return try output.show("moveRemove", would: output.plan(operation).changes) }
        let report = try output.run(operation, Answers(input, consent))
        let folder = location.directory.string
        try output.print(report) {
            report.mediaLeft
                ? "removed the retired databases in \(folder.withoutControls). \(Self.mediaStay)"
                : "removed the retired account in \(folder.withoutControls)"
        }
    }

    static let mediaStay = "The media were kept: a new account in this folder may use them."
}
