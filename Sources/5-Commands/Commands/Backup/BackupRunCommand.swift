import ArgumentParser
import Valise
import ValiseTerminal

struct BackupRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Make a snapshot of one or more accounts.",
        discussion: """
            Reads every page of the databases, checks it, and stores what the repository does not have yet. Media \
            whose size and times have not changed are not read again. An account in use is backed up as of one \
            moment, and its snapshot has the tag in-use.

            By default, the databases are stored decrypted, inside the encrypted repository: snapshots stay small, \
            and the repository's password protects the messages. With --sealed, they are stored as SQLCipher \
            encrypted them. Then both passwords are needed to read them, no passphrase is needed to back them up, \
            and snapshots are about twice as large, or complete after a new passphrase.

            A profile folder of Session Desktop, or the folder of Session iOS, is backed up too: byte for byte, with the \
            database and its log as of one moment. Of a profile these are config.json, sql and attachments.noindex; caches are \
            left out. No password is needed unless Session is running with one; with it, or with the key of a phone's database \
            in a file, the copy is opened before the snapshot is made. The database is stored as it is encrypted.

            An account with damaged pages is refused, so that no damaged state takes the place of a good one. With \
            --keep-damaged, its snapshot has the databases as they are. Such a snapshot, and one in which files are \
            missing, has the tag partial.

            If it is interrupted, there is no new snapshot. What was stored is used by the next run. With several \
            accounts, one that fails does not stop the others; the exit status is then 3, as for a partial snapshot. \
            With --dry-run, everything is read, and nothing is stored.

            Several programs may back up into one repository at the same time. While one of them has it for itself to remove \
            something, the exit status is 11, unless --wait is given.

            With --ping, a monitoring service is told by requests of URL/start, and then of URL, or of URL/fail if \
            anything is missing. A service that cannot be reached does not change the result.
            """)

    @OptionGroup var accounts: BackupAccountsArguments
    @OptionGroup var repository: RepositoryChoiceOptions

    @Flag(help: "Store the databases as they are encrypted.")
    var sealed = false

    @Flag(help: "Store damaged databases too, as they are.")
    var keepDamaged = false

    @Option(help: "Add this tag to the snapshot. May be repeated.")
    var tag: [String] = []

    @Option(help: "Use this host name instead of this machine's.")
    var host: String?

    @Option(help: ArgumentHelp("Report start, success and failure to this address.", valueName: "url"))
    var ping: String?

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard tag.allSatisfy({ !$0.contains(",") }) else {
            throw ValidationError("A tag contains no comma. Repeat --tag for several.")
        }
    }

    func run() throws {
        var input = try repository.input()
        input.wait = accounts.use.patience
        var operation = BackUpAccounts(
            try accounts.choose(output), into: input, passphrase: passphrase.choice)
        operation.isSealed = sealed
        operation.keepsDamaged = keepDamaged
        operation.tags = tag
        operation.hostname = host
        operation.program = "valise \(ValiseCommand.configuration.version)"
        operation.monitor = try ping.map { try MonitorAddress($0) }
        let report = try output.run(operation, Answers(passphrase), dryRun)
        try output.print(report, type: dryRun.isAsked ? "backupRunPlan" : "backupRun") {
            report.text(isDryRun: dryRun.isAsked, RemedyText.words)
        }
        if let failure = report.failure { throw ExitStatusError(status: ExitStatus(failure.code)) }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }
}
