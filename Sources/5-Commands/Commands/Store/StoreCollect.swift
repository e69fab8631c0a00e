import ArgumentParser
import Valise
import ValiseEncoding

struct StoreCollect: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect", abstract: "Remove chunks that no file of a store uses.",
        discussion: """
            Shows what is removed, and asks. What was stored in the last 24 hours always stays, because another device may \
            be about to use it. Files that were deleted keep their chunks, unless --trash-age says for how long. Nothing is \
            removed if an index entry or a manifest cannot be read.
            """)

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp(
            "Keep what is younger than this, such as 24h (the default, and the least) or 7d.",
            valueName: "span"))
    var grace: AgeArgument?

    @Option(
        help: ArgumentHelp(
            "Also remove what only deleted files use that were deleted before this span, such as 30d.",
            valueName: "span"))
    var trashAge: AgeArgument?

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    private static let day: Int64 = 86_400

    func validate() throws {
        guard [grace, trashAge].allSatisfy({ ($0?.seconds ?? Self.day) >= Self.day }) else {
            throw ValidationError("--grace and --trash-age are at least 24h")
        }
    }

    func run() throws {
        var operation = CollectStore(try options.input(store))
        if let grace { operation.grace = grace.seconds }
        operation.trashAge = trashAge?.seconds
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(options))
            return try output.print(plan, type: "storeCollectPlan") { StoreCollectText.text(plan).asDryRun() }
        }
        let report = try output.run(operation, Answers(options, yes: consent.yes))
        try output.print(report, type: "storeCollected") { StoreCollectText.text(report) }
    }
}

/// What a collection would remove, and what it did, for the user.
enum StoreCollectText {
    static func text(_ plan: PlannedCollection) -> String {
        var lines = [("chunk", plan.chunks), ("manifest", plan.manifests), ("deleted entry", plan.trash)]
            .filter { $0.1.count > 0 }
            .map { "remove \(Count.text($0.1.count, $0.0)), \(Count.bytes($0.1.size))" }
        if plan.young > 0 {
            lines.append("leave \(Count.text(plan.young, "unused object")) that may be about to be used")
        }
        lines.append(plan.isEmpty ? "nothing to remove" : "free \(Count.bytes(plan.freed))")
        return lines.joined(separator: "\n")
    }

    static func text(_ report: CollectedStore) -> String {
        guard !report.plan.isEmpty else { return text(report.plan) }
        let spared =
            report.spared > 0 ? "; \(Count.text(report.spared, "object")) left that changed meanwhile" : ""
        return "removed \(Count.text(report.removedChunks, "chunk")), "
            + "\(Count.text(report.removedManifests, "manifest")) and "
            + "\(Count.text(report.removedCopies, "deleted entry")); freed \(Count.bytes(report.freed))\(spared)"
    }
}
