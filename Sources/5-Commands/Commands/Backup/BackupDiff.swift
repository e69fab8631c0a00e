import ArgumentParser
import Valise

struct BackupDiff: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two snapshots.",
        discussion: """
            Files are compared by the names of their pieces, and read only where these differ. Databases that are kept open \
            are compared by table and row, and messages by ID. Of sealed ones, only the bytes are compared; \
            'valise archive diff REPO::A REPO::B' opens them with a passphrase.

            Exits with 0 even if the snapshots differ; with --exit-code, exits with 20 if they do. Exits with 3 if files \
            could not be read.
            """)

    @Argument(help: "The first snapshot: the first digits of its ID, or latest.")
    var first: String

    @Argument(help: "The second snapshot.")
    var second: String

    @Flag(help: "Exit with status 20 if the snapshots differ.")
    var exitCode = false

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = CompareSnapshots(first, second, in: try repository.input())
        let compared = try output.run(operation, Answers(repository))
        try output.print(compared, type: "backupDiff") { ArchiveDiffText(report: compared.comparison).text }
        if compared.comparison.unreadable > 0 { throw ExitStatusError(status: .entryErrors) }
        if exitCode, !compared.comparison.isSame { throw ExitStatusError(status: .workDue) }
    }
}
