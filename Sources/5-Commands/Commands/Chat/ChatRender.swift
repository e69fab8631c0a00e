import ArgumentParser
import Valise
import ValiseEncoding

struct ChatRender: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Write pages, text, Markdown or CSV from an export.",
        discussion: """
            Needs neither the account nor its passphrase: everything is made from the JSON lines of the export, and \
            replaces what was made before. With --redact or --redact-rules, only the forms are redacted: the JSON lines and \
            files stay as they are.
            """)

    @Argument(help: ArgumentHelp("Folder of the export.", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp("Formats, separated by commas. Repeatable.", valueName: "formats"))
    var format: [CommaList<ViewFormat>]

    @Option(
        help: ArgumentHelp(
            "Folder with templates that replace those of the pages; with --format html.", valueName: "folder"),
        completion: .directory)
    var template: String?

    @OptionGroup var redaction: ChatRedactionOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if template != nil, !format.flatMap(\.elements).contains(.html) {
            throw ValidationError("--template requires --format html")
        }
    }

    func run() throws {
        var operation = RenderConversations(FilePath(folder), as: format.flatMap(\.elements))
        operation.templates = template.map { FilePath($0) }
        operation.redaction = try redaction.redaction()
        if dryRun.isAsked {
            let plan = try output.plan(operation)
            return try output.print(plan, type: "chatExportPlan") { plan.text }
        }
        let report = try output.run(operation)
        try output.print(report, type: "chatsRendered") {
            "rendered \(Count.text(report.conversations, "chat")) in \(report.path)"
        }
        try output.complain(damaged: report.damaged)
    }
}
