import ArgumentParser
import Valise
import ValiseEncoding

struct BackupPrune: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove data that no snapshot uses.",
        discussion: """
            Shows what is removed, and asks. Packs without any use are removed; others are written again without what is \
            not used, until at most --max-unused is left. Nothing is changed if anything that a snapshot uses is missing. \
            The repository is locked meanwhile. Packs that no index names, such as those of a run that was killed, are \
            removed when a prune has seen them a day before.
            """)

    @OptionGroup var repository: RepositoryOptions

    @Option(
        help: ArgumentHelp(
            "Unused data that may stay: 5% (the default), 500M, or unlimited.", valueName: "limit"))
    var maxUnused: UnusedArgument?

    @Option(help: ArgumentHelp("Write at most this much of packs again.", valueName: "size"))
    var maxRepackSize: SizeArgument?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = PruneRepository(try repository.input())
        if let maxUnused { operation.limits.unused = maxUnused.unused }
        operation.limits.mostRepacked = maxRepackSize?.bytes
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(repository))
            return try output.print(plan, type: "backupPrunePlan") { PruneText.text(plan).asDryRun() }
        }
        let report = try output.run(operation, Answers(repository, yes: consent.yes))
        try output.print(report, type: "backupPruned") { PruneText.text(report) }
    }
}

/// How much may stay: `5%`, `500M`, `unlimited`.
struct UnusedArgument: ExpressibleByArgument {
    let unused: PruneLimits.Unused

    init?(argument: String) {
        if argument == "unlimited" {
            unused = .unlimited
        } else if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), percent >= 0, percent <= 100 else { return nil }
            unused = .percent(percent)
        } else {
            guard let bytes = ByteSize.decode(argument) else { return nil }
            unused = .bytes(bytes)
        }
    }
}
