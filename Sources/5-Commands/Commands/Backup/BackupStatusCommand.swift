import ArgumentParser
import Valise
import ValiseEncoding

struct BackupStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the age of the newest snapshot of each account.",
        discussion: """
            Also shows the last drill of each account, the last verification, snapshots that went missing in the \
            last week, and why the last run failed. Drills, verifications and failures are those of this user on \
            this machine. Changes nothing, and does not wait for programs that lock the repository.

            With --exit-code, the exit status is 20 if an account has no complete snapshot that is young enough, \
            if a drill or a verification found problems, or if snapshots are missing. With --offline, only what is \
            remembered on this machine is shown. That needs no password, and suits monitoring; the repository \
            itself may have changed since.

            --format prometheus prints metrics for the textfile collector of the Prometheus node exporter.
            """)

    @OptionGroup var accounts: BackupStatusArguments
    @OptionGroup var repository: RepositoryOptions

    @Option(help: "Show the snapshots of this host instead of this machine's.")
    var host: String?

    @Flag(help: "Do not open the repository; show what is remembered here.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "The age at which a snapshot is too old, such as 25h (the default) or 8d.", valueName: "span"))
    var maxAge: AgeArgument?

    @Flag(help: "Exit with status 20 if a snapshot is missing or too old, or problems are known.")
    var exitCode = false

    @Option(help: "text or prometheus.")
    var format = StatusFormat.text

    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ShowBackupStatus(
            try repository.input(),
            accounts: accounts.accounts.map { BackUpAccounts.Account(FilePath($0), prefix: accounts.prefix) })
        operation.hostname = host
        operation.isOffline = offline
        if let maxAge { operation.maxAge = maxAge.seconds }
        let status = try output.run(operation, Answers(canAsk: repository.canAsk))
        try output.print(status, type: "backupStatus") {
            format == .prometheus ? PrometheusText(status).text : status.text
        }
        if exitCode, status.isOverdue { throw ExitStatusError(status: .workDue) }
    }
}

/// Accounts whose snapshots are shown.
struct BackupStatusArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The accounts to show. If left out: all that were backed up from this machine.",
            valueName: "account"), completion: .directory)
    var accounts: [String] = []

    @Option(help: "Prefix of the database names, if the folder holds several accounts.")
    var prefix: String?
}

enum StatusFormat: String, ExpressibleByArgument, CaseIterable {
    case text, prometheus
}

/// Such as `25h` or `8d`.
struct AgeArgument: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        guard let seconds = TimeSpan.decode(argument, in: "mhdw"), seconds > 0 else { return nil }
        self.seconds = seconds
    }
}
