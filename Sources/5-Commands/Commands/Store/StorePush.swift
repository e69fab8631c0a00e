import ArgumentParser
import Valise

struct StorePush: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Bring the changes of a folder into a store.",
        discussion: """
            Stores files that are new or changed since the last push or pull of the folder, and removes those that were \
            deleted there, after a question. A file that was changed on both sides is a conflict: it is shown, and both \
            versions stay, unless --conflicts says how it ends. The exit status is 3 for conflicts that stay, and for \
            files that failed. With --dry-run, only the plan is shown.
            """)

    @OptionGroup var sync: StoreSyncOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = PushFolder(try sync.synchronization())
        guard !sync.dryRun.isAsked else { return try output.show(try output.plan(operation, sync.answers)) }
        try output.show(try output.run(operation, sync.answers))
    }
}
