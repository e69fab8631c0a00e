import ArgumentParser
import Valise

struct StorePull: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull", abstract: "Bring the changes of a store into a folder.",
        discussion: """
            Fetches files that are new or changed since the last push or pull of the folder, and removes those that were \
            deleted in the store, after a question. A file that was changed on both sides is a conflict: it is shown, and \
            both versions stay, unless --conflicts says how it ends. The exit status is 3 for conflicts that stay, and for \
            files that failed. With --dry-run, only the plan is shown.
            """)

    @OptionGroup var sync: StoreSyncOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = PullFolder(try sync.synchronization())
        guard !sync.dryRun.isAsked else { return try output.show(try output.plan(operation, sync.answers)) }
        try output.show(try output.run(operation, sync.answers))
    }
}
