import ArgumentParser
import Valise

struct MediaPurgeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Move away media that nothing refers to, temporary files, and stale work files.",
        discussion: """
            Lists them first, then moves them to a folder valise-purged-TIME beside the databases, from where \
            they can be taken back; with --delete they are deleted, after a question. Whatever either database \
            names in any way stays, in any folder and also where only case or accents differ, and files of \
            transfers that are going on stay too. Databases, their .bak copies and wallpapers are never touched. \
            Where one of the tables that name files cannot be read, nothing is done.

            Exit status 3 when something could not be moved or deleted.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Delete instead of moving.")
    var delete = false

    @Flag(help: "Delete without the question.")
    var yes = false

    @Flag(help: "Only list what would be moved.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = PurgeMedia(of: try account.find(), passphrase: passphrase.choice)
        operation.deletes = delete
        if dryRun {
            let plan = try output.plan(operation, Answers(passphrase))
            return try output.print(plan, type: "mediaPurgePlan") { MediaPurgeText.text(plan) }
        }
        let report = try output.run(operation, Answers(passphrase, yes: yes))
        try output.print(report, type: "mediaPurged") { MediaPurgeText.text(report) }
        if !report.problems.isEmpty { throw ExitStatusError(status: .entryErrors) }
        if !report.isDone { throw ExitStatusError(status: .failed) }
    }
}
