import ArgumentParser
import Valise

struct MediaExportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write decrypted copies of the files of messages, with their names and times.",
        discussion: """
            The account is only read. Copies go to <out>/USER/CHAT/NAME; names are made safe for every file \
            system, the original ones are in <out>/manifest.jsonl, one line of JSON for each file: chat, sender, \
            time, message, original name, path, size, SHA-256. A file that several messages have is stored once; \
            the others are hard links to it, so that to change one is to change all. A second run copies what is \
            new. What you put into <out> is not overwritten. An encrypted file gets its name when its tag was \
            verified; of a damaged one nothing is written.

            Exit status 0 when nothing was left out, 3 when files were: missing, damaged, of another size, or \
            outside of the account. The result tells the reasons.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: ArgumentHelp(
            "The folder for the copies; it is made where it is missing.", valueName: "out"),
        completion: .directory)
    var out: String

    @OptionGroup var selection: MediaSelectionOptions

    @Flag(help: "Also copy files that the database has by an absolute path outside of the account.")
    var includeOutside = false

    @Flag(help: "Only tell what would be copied.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var options = MediaExportOptions()
        options.selection = selection.selection
        options.includesOutside = includeOutside
        let operation = ExportMedia(
            of: try account.find(), to: FilePath(out), options: options, passphrase: passphrase.choice)
        let report =
            try dryRun
            ? output.plan(operation, Answers(passphrase)) : output.run(operation, Answers(passphrase))
        try output.print(report, type: dryRun ? "mediaExportPlan" : "mediaExported") {
            MediaExportText(report).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
