import ArgumentParser
import Valise
import ValiseEncoding

struct StoreRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove files from a store.",
        discussion: """
            Shows what is removed, and asks. The index entries are copied to the trash of the store before. The chunks stay \
            until 'valise store collect'. The exit status is 3 if a file could not be removed.
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: ArgumentHelp("Files in the store.", valueName: "path"))
    var paths: [String]

    @Flag(name: .shortAndLong, help: "Remove folders with all that is in them.")
    var recursive = false

    @OptionGroup var writing: StoreWritingOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var input = try options.input(store)
        input.device = writing.device
        var operation = RemoveFromStore(paths, from: input)
        operation.removesFolders = recursive
        operation.writing = writing.writing
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(options))
            return try output.print(plan, type: "storeRemovePlan") { StoreRemovalText.text(plan).asDryRun() }
        }
        let removed = try output.run(operation, Answers(options, yes: consent.yes))
        try output.print(removed, type: "storeRemoved") {
            "removed \(Count.text(removed.removed.count, "file"))"
        }
        try output.complain(of: removed)
    }
}

/// What would be removed, for the user.
enum StoreRemovalText {
    static func text(_ plan: PlannedRemoval) -> String {
        let lines = FirstLines.of(plan.files, of: plan.files.count, indent: "") { "remove \($0)" }
        guard !lines.isEmpty else { return "no files to remove" }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
