import ArgumentParser
import Valise

struct AccountCompact: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Give back the space that deleted messages left inside of the databases.",
        discussion: """
            Both databases are written into new files beside the account, checked and compared, and put in \
            place atomically. That takes as much space as they hold until it is done; --dry-run tells how much. \
            Key, settings and content stay what they are.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Only tell what it would take and free.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = CompactAccount(try account.find(), passphrase: passphrase.choice)
        if dryRun {
            let plan = try output.plan(operation, Answers(passphrase))
            return try output.print(plan) { Self.text(plan.plan) }
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report) { Self.text(report.report) }
    }

    private static func text(_ plan: CompactionPlan) -> String {
        let lines = plan.steps.map { step in
            "\(step.database.rawValue): \(ByteCount.text(step.size)), \(step.freePages) of \(step.pages) "
                + "pages hold nothing; at most \(ByteCount.text(step.estimate)) afterwards"
        }
        return (lines + [CompactionNote(plan: plan).text]).joined(separator: "\n")
    }

    private static func text(_ report: CompactionReport) -> String {
        let lines = report.results.map { result in
            "\(result.database.rawValue): \(ByteCount.text(result.sizeBefore)) before, "
                + "\(ByteCount.text(result.sizeAfter)) now"
        }
        let freed =
            report.freed >= 0
            ? "\(ByteCount.text(report.freed)) are free again" : "there was nothing to give back"
        return (lines + [freed]).joined(separator: "\n")
    }
}
