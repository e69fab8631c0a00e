import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct BackupScheduleCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Print units that run backups every day.",
        discussion: """
            Prints a systemd service and timer, lines for cron, or property lists for launchd. Each day they make \
            a snapshot, apply the retention of the --keep options, and verify a part of the data, in this order. \
            The first failure ends the run, so that nothing is removed after a backup that failed. A drill opens \
            the newest snapshot each week. Nothing is installed: the files are printed, or written with --output.

            A service cannot ask. Give it the repository's password with --password-file or --password-command, \
            and the account's passphrase with --passphrase-file or --passphrase-command, or store it with 'valise \
            key store'. Keys for servers, such as AWS_SECRET_ACCESS_KEY, are read from \
            ~/.config/valise/backup.env, or /etc/valise/backup.env with --system.

            Without --keep options, nothing is removed, which suits append-only repositories. With --ping, a \
            monitoring service is told of the start, and of success only if all steps succeeded. A drill reports \
            failures only.
            """)

    @OptionGroup var accounts: BackupAccountsArguments
    @OptionGroup var repository: RepositoryChoiceOptions
    @OptionGroup var timing: ScheduleTimingOptions
    @OptionGroup var retention: ScheduleRetentionOptions

    @Option(help: ArgumentHelp("Read all data once in this many days; 0 for never.", valueName: "days"))
    var readInDays = 30

    @Option(help: "Open the newest snapshot weekly, monthly or never.")
    var drill = ScheduleBackups.Rhythm.weekly

    @Flag(help: "Store the databases as they are encrypted.")
    var sealed = false

    @Option(help: ArgumentHelp("Report start, success and failure to this address.", valueName: "url"))
    var ping: String?

    @OptionGroup var place: SchedulePlaceOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...365).contains(readInDays) else {
            throw ValidationError("--read-in-days must be from 0 to 365")
        }
    }

    func run() throws {
        let calls = try ScheduleCalls(
            repository, passphrase, accounts.choose(output), sealed: sealed)
        let check = try ping.map { try MonitorAddress($0).text }
        var operation = ScheduleBackups(
            place.format, name: place.name,
            daily: calls.daily(keeping: retention.words, readInDays: readInDays))
        operation.drill = calls.drills
        operation.drillRhythm = drill
        operation.pings = check.map {
            ScheduleBackups.Pings(
                start: ["backup", "ping", "--start", $0], success: ["backup", "ping", $0],
                failure: ["backup", "ping", "--fail", $0])
        }
        operation.minute = timing.at.minute
        operation.jitter = Int64(timing.jitter.duration / .seconds(1))
        operation.runsOnBattery = timing.onBattery
        operation.user = place.account
        operation.environment = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].compactMap { name in
            UserFolders.variable(name).map { (name: name, value: $0) }
        }
        let final: [ExitStatus] = [
            .entryErrors, .notFound, .wrongPassphrase, .damaged, .unsupported, .usage,
        ]
        operation.finalStatuses = final.map(\.rawValue)
        operation.manual = "valise-backup-schedule(1)"
        operation.folder = place.output.map { FilePath($0) }
        operation.replacesFiles = place.force
        operation.place = place.folder
        operation.enabling = place.enabling(drills: drill != .never)
        let schedule = try output.run(operation, Answers(passphrase), dryRun)
        try output.print(schedule, type: "backupSchedule") { schedule.text }
    }
}

extension ScheduleBackups.Form: ExpressibleByArgument {}
extension ScheduleBackups.Rhythm: ExpressibleByArgument {}
