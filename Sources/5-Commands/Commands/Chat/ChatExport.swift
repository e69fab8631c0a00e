import ArgumentParser
import Valise
import ValiseEncoding

struct ChatExport: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export chats with their files into a folder.",
        discussion: """
            Writes JSON lines, one object per message, and decrypted copies of the files; --format adds pages for a \
            browser (html), text, Markdown or CSV. The folder appears when everything in it is complete. Until then, the \
            export is in a folder with .partial at the end of its name. If it is interrupted, the same command continues it.

            With --update, brings an earlier export up to date: messages that are no longer in the account stay in it and \
            are marked. Forms such as html are written again only if --format names them.

            With --redact or --redact-rules, makes an export to give away. With names, all names become Person 1, Group 1 \
            and so on; with phones, links and media, these are left out. Everything else stays. A redacted export cannot \
            be updated later.

            The exit status is 3 if messages or files could not be read.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Argument(
        help: ArgumentHelp("Folder for the export. A single argument is this folder.", valueName: "out"),
        completion: .directory)
    var out: String?

    @Option(help: ArgumentHelp("Only this chat. Repeatable.", valueName: "chat"))
    var chat: [String] = []

    @Option(
        help: ArgumentHelp("Also write these formats, separated by commas. Repeatable.", valueName: "formats")
    )
    var format: [CommaList<ViewFormat>] = []

    @Option(
        help: ArgumentHelp(
            "Folder with templates that replace those of the pages; with --format html.", valueName: "folder"),
        completion: .directory)
    var template: String?

    @Flag(help: "Update an existing export.")
    var update = false

    @OptionGroup var media: ChatMediaOptions
    @OptionGroup var redaction: ChatRedactionOptions
    @OptionGroup var items: ChatItemOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try account.require(out, "out")
        if template != nil, !format.flatMap(\.elements).contains(.html) {
            throw ValidationError("--template requires --format html")
        }
    }

    func run() throws {
        let (account, out) = try self.account.and(self.out, "out", output)
        var operation = ExportConversations(items.input(account, passphrase, chat), to: FilePath(out))
        operation.formats = format.flatMap(\.elements)
        operation.updates = update
        operation.templates = template.map { FilePath($0) }
        operation.media = media.choice
        operation.redaction = try redaction.redaction()
        if dryRun.isAsked {
            let plan = try output.plan(operation, Answers(passphrase))
            return try output.print(plan, type: "chatExportPlan") { plan.text }
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "chatsExported") {
            ChatExportText(report: report, isUpdate: update).text
        }
        try output.complain(damaged: report.damaged)
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }
}

extension ConversationExportPlan {
    /// What would be written, for a user.
    var text: String {
        let what = "\(Count.text(messages, "message")) of \(Count.text(chats, "chat"))"
        return updates ? "would update \(path): \(what)" : "would export \(what) to \(path)"
    }
}

/// What an export wrote, for a user.
struct ChatExportText {
    let report: ConversationExportReport
    let isUpdate: Bool

    var text: String {
        let chats = Count.text(report.conversations, "chat")
        let messages = Count.text(report.items, "message")
        var lines = [
            isUpdate
                ? "updated \(report.path): \(messages) of \(chats), \(report.added) new"
                : "exported \(messages) of \(chats) to \(report.path)"
        ]
        if report.gone > 0 {
            lines.append("\(Count.text(report.gone, "message")) no longer in the account: kept and marked")
        }
        if report.copied > 0 {
            lines.append("copied \(Count.text(report.copied, "file")) (\(Count.bytes(report.copiedSize)))")
        }
        if report.linked > 0 { lines.append("linked \(Count.text(report.linked, "file")) of the account") }
        if report.duplicates > 0 {
            lines.append("\(Count.text(report.duplicates, "file")) with the same content as another one")
        }
        if let left = report.media["left-out"], left > 0 {
            lines.append("\(Count.text(left, "file")) left out")
        }
        for state in ["missing", "damaged", "unfinished"] {
            guard let count = report.media[state], count > 0 else { continue }
            lines.append("\(Count.text(count, "file")) \(state == "unfinished" ? "never received" : state)")
        }
        lines += FirstLines.of(report.problems, of: report.problems.count) { "\($0.name): \($0.message)" }
        return lines.joined(separator: "\n")
    }
}
