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
            return try output.print(Plan(plan)) { Self.text(plan) }
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(Result(report)) { Self.text(report) }
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

    private struct Plan: Encodable {
        let type = "compactionPlan"
        let databases: [CompactionPlan.Step]
        /// In bytes.
        let spaceNeeded: Int64
        let freeSpace: Int64
        let smallestGain: Int64

        init(_ plan: CompactionPlan) {
            databases = plan.steps
            spaceNeeded = plan.spaceNeeded
            freeSpace = plan.freeSpace
            smallestGain = plan.smallestGain
        }
    }

    private struct Result: Encodable {
        let type = "accountCompacted"
        let databases: [CompactionReport.Result]
        /// In bytes.
        let freed: Int64
        let seconds: Double

        init(_ report: CompactionReport) {
            databases = report.results
            freed = report.freed
            seconds = report.seconds
        }
    }
}
