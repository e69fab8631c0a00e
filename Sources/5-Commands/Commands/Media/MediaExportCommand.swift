import ArgumentParser
import Valise

struct MediaExportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export decrypted copies of media files.",
        discussion: """
            Only reads the account. Copies go to <out>/USER/CHAT/NAME and keep their times. Names are made safe for \
            every file system; the original ones are in <out>/manifest.jsonl, one line of JSON per file: chat, \
            sender, time, message, original name, path, size, SHA-256. A file that several messages share is stored \
            once; the other names are hard links to it, so changing one changes all. A second run copies only new \
            files. Your own files in <out> are not overwritten. The copy of an encrypted file gets its name only \
            after the tag has been verified; damaged files are not copied.

            The exit status is 0 if nothing was skipped, and 3 if files were: missing, damaged, of the wrong size, or \
            outside the account. The result shows the reasons.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: ArgumentHelp(
            "Folder for the copies; created if missing. A single argument is this folder.", valueName: "out"),
        completion: .directory)
    var out: String?

    func validate() throws { _ = try account.and(out, "out") }

    @OptionGroup var selection: MediaSelectionOptions

    @Flag(help: "Also copy files that the database names by an absolute path outside the account.")
    var includeOutside = false

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (account, out) = try self.account.and(self.out, "out")
        var options = MediaExportOptions()
        options.selection = selection.selection
        options.includesOutside = includeOutside
        let operation = ExportMedia(
            of: try account.find(output), to: FilePath(out), options: options, passphrase: passphrase.choice)
        let report = try output.run(operation, Answers(passphrase), dryRun)
        try output.print(report, type: dryRun.isAsked ? "mediaExportPlan" : "mediaExported") {
            MediaExportText(report: report).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
