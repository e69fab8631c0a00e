import ArgumentParser
import Valise

struct MediaPurgeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Quarantine unreferenced, temporary and stale files.",
        discussion: """
            Lists the files, then moves them to a folder valise-purged-TIME beside the databases, from where you can \
            restore them. With --delete they are deleted; you are asked to confirm first. Files that either database \
            names in any way are kept, in any folder and even if only case or accents differ; so are files of \
            transfers in progress. Databases, their .bak copies and wallpapers are never touched. If a table that \
            names files cannot be read, nothing is done.

            The exit status is 3 if something could not be moved or deleted.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Delete instead of moving.")
    var delete = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = PurgeMedia(of: try account.find(output), passphrase: passphrase.choice)
        operation.deletes = delete
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(passphrase))
            return try output.print(plan, type: "mediaPurgePlan") { MediaPurgeText.text(plan).asDryRun() }
        }
        var answers = Answers(passphrase, yes: consent.yes)
        answers.account = operation.account
        let report = try output.run(operation, answers)
        if !report.isDone, !output.json { throw CommandError.declined }
        try output.print(report, type: "mediaPurged") { MediaPurgeText.text(report) }
        if !report.problems.isEmpty { throw ExitStatusError(status: .entryErrors) }
        if !report.isDone { throw ExitStatusError(status: .failed) }
    }
}
