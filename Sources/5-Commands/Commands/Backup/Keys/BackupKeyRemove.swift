import ArgumentParser
import Valise
import ValiseEncoding

struct BackupKeyRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a password from a repository.",
        discussion: """
            Name its key as 'valise backup key list' shows it. The key of the password that you give stays, so that the \
            last one is never removed. The files in the repository are not encrypted anew: who has known the password \
            and has a copy of the key can still open them.
            """)

    @Argument(help: ArgumentHelp("The first digits of the key's ID.", valueName: "id"))
    var id: String

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = RemoveRepositoryKey(id, from: try repository.input())
        let answers = Answers(canAsk: repository.canAsk)
        if dryRun.isAsked {
            return try output.show("backupKeyRemove", would: output.plan(operation, answers).changes)
        }
        let report = try output.run(operation, answers)
        try output.print(report) {
            "removed the key \(report.key.prefix(8)); the repository has \(Count.text(report.keys, "key"))"
        }
    }
}
