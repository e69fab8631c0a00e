import ArgumentParser
import Valise

struct AccountCompact: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Compact the databases.",
        discussion: """
            Writes both databases to new files beside the account, checks and compares them, and puts them in place \
            atomically. Until then this takes as much space as the content needs; --dry-run shows how much. Key, \
            settings and content do not change.
            """)

    @OptionGroup var account: AccountOptions

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = CompactAccount(try account.find(output), passphrase: passphrase.choice)
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(passphrase))
            return try output.print(plan) { Self.text(plan.plan).asDryRun(of: plan) }
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report) { Self.text(report.report) }
    }

    private static func text(_ plan: CompactionPlan) -> String {
        let lines = plan.steps.map { step in
            "\(step.database.rawValue): \(ByteCount.text(step.size)), \(step.freePages) of \(step.pages) "
                + "pages unused; at most \(ByteCount.text(step.estimate)) afterwards"
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
            ? "freed \(ByteCount.text(report.freed))" : "nothing to free"
        return (lines + [freed]).joined(separator: "\n")
    }
}
