import ArgumentParser
import Valise

struct BackupForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove snapshots by rules, or by their IDs.",
        discussion: """
            Shows what is removed and why the rest is kept, and asks. Snapshots of each account of each machine are \
            counted for themselves; what one rule keeps is kept. Incomplete snapshots take no place of complete ones, and \
            those dated in the future count for nothing. Data stays until 'valise backup prune', or with --prune is \
            removed at once. The rules are those of restic.

            The exit status is 3 if a snapshot could not be removed.
            """)

    @Argument(help: ArgumentHelp("Snapshots to remove, by their IDs.", valueName: "snapshot"))
    var snapshots: [String] = []

    @OptionGroup var keep: SnapshotRuleOptions

    @Option(help: ArgumentHelp("Only snapshots of this machine. Can be repeated.", valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only snapshots with this tag; several with commas for all of them. Can be repeated.",
            valueName: "tags"))
    var tag: [String] = []

    @Flag(help: "Also remove data that no snapshot uses afterwards.")
    var prune = false

    @Flag(help: "Allow to remove the last snapshot of an account.")
    var allowEmpty = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if snapshots.isEmpty != keep.isGiven {
            throw ValidationError(
                snapshots.isEmpty
                    ? "Give rules, such as --keep-daily 7, or the IDs of snapshots"
                    : "Give either rules or the IDs of snapshots")
        }
        if !snapshots.isEmpty, !host.isEmpty || !tag.isEmpty {
            throw ValidationError("--host and --tag are for rules")
        }
    }

    func run() throws {
        var operation = ForgetSnapshots(try repository.input())
        operation.rules = keep.rules
        operation.named = snapshots
        operation.hosts = host
        operation.tags = tag.map(TagList.tags)
        operation.allowsNone = allowEmpty
        operation.prune = prune ? PruneLimits() : nil
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(repository))
            return try output.print(plan, type: "backupForgetPlan") { ForgetText.text(plan).asDryRun() }
        }
        let report = try output.run(operation, Answers(repository, yes: consent.yes))
        try output.print(report, type: "backupForgotten") { ForgetText.text(report) }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }
}
