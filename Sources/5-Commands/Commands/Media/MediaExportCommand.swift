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
        let location = try account.find()
        let key = try AccountKey(location, passphrase).key()
        var options = MediaExportOptions()
        options.selection = selection.selection
        options.includesOutside = includeOutside
        options.isDryRun = dryRun
        let report = try output.withProgress { progress in
            try MediaExport().run(
                location, to: FilePath(out), passphrase: key, options: options, progress: progress)
        }
        try output.print(report, type: dryRun ? "mediaExportPlan" : "mediaExported") {
            MediaExportText(report).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
