import ArgumentParser
import Valise
import ValiseEncoding

struct BackupKeyAdd: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a password to a repository.",
        discussion: """
            The new password opens the repository beside the others. Its key is opened once more from where it is stored \
            before it counts as added. --user and --host say whose it is; whoever can read the files of the repository \
            can read both.
            """)

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var new: NewPasswordOptions

    @Option(help: ArgumentHelp("Name of whom the password is for.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("Name of the machine that the password is for.", valueName: "name"))
    var host: String?

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let input = try repository.input()
        let report = try output.change(
            AddRepositoryKey.self, "backupKeyAdd", dryRun, repository.canAsk
        ) { work in
            var operation = AddRepositoryKey(to: input) {
                try await new.password(repository.canAsk, work)
            }
            operation.allowsWeak = new.allowWeak
            operation.username = user
            operation.hostname = host
            return operation
        }
        guard let report else { return }
        try output.print(report) {
            "added the key \(report.key.prefix(8)); the repository has \(Count.text(report.keys, "key"))"
        }
    }
}
