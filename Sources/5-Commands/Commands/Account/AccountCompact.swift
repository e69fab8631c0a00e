import ArgumentParser
import Valise
import ValiseEncoding

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
            "\(step.database.rawValue): \(Count.bytes(step.size)), \(step.freePages) of \(step.pages) "
                + "pages unused; at most \(Count.bytes(step.estimate)) afterwards"
        }
        return (lines + [CompactionNote(plan: plan).text]).joined(separator: "\n")
    }

    private static func text(_ report: CompactionReport) -> String {
        let lines = report.results.map { result in
            "\(result.database.rawValue): \(Count.bytes(result.sizeBefore)) before, "
                + "\(Count.bytes(result.sizeAfter)) now"
        }
        let freed =
            report.freed >= 0
            ? "freed \(Count.bytes(report.freed))" : "nothing to free"
        return (lines + [freed]).joined(separator: "\n")
    }
}
