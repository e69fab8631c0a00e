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
        let location = try account.find()
        let key = try AccountKey(location, passphrase).key()
        if dryRun {
            let plan = try output.withProgress { progress in
                try MediaPurge().plan(location, passphrase: key, progress: progress)
            }
            return try output.print(plan, type: "mediaPurgePlan") { MediaPurgeText.text(plan) }
        }
        let report = try output.withProgress { progress in
            try MediaPurge().run(
                location, passphrase: key, deletes: delete, confirm: confirm, progress: progress)
        }
        output.note(report.recovery)
        try output.print(report, type: "mediaPurged") { MediaPurgeText.text(report) }
        if !report.problems.isEmpty { throw ExitStatusError(status: .entryErrors) }
        if !report.isDone { throw ExitStatusError(status: .failed) }
    }

    private func confirm(_ plan: MediaPurgePlan) throws -> Bool {
        if !output.json { try StandardStreams.printLine(MediaPurgeText.text(plan)) }
        guard delete, !yes, !plan.items.isEmpty else { return true }
        guard passphrase.canAsk else {
            throw CommandError(
                .invalid, "--delete asks first and nobody can be asked; add --yes if you mean it")
        }
        return try Terminal.confirm("Delete \(Count.text(plan.items.count, "item")) for good?")
    }
}
