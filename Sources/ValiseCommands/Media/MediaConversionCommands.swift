import Accounts
import ArgumentParser
import MediaEncryption

struct MediaEncryptCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypt the media that are still plain.",
        discussion: """
            Every file that a message refers to gets a key of its own, which is kept in the chat database, as the \
            official apps do with what arrives. Files and database change together: after a crash the next run \
            completes the step that was decided, and the same command again does the rest. Files that are missing, of \
            another size, named by several messages, links, or outside of the account are listed and left; the \
            status is 3 then. About a gigabyte and a copy of the chat database are needed beside the account.

            The former content is removed, not overwritten; on most media it can be brought back with effort until \
            the space is used again.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var selection: MediaSelectionOptions

    @Flag(help: "Only tell what would be encrypted.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try MediaConversionRun(.encrypt, account, selection, dryRun, passphrase, output).run()
    }
}

struct MediaDecryptCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Make the media plain again.",
        discussion: """
            The opposite of 'valise media encrypt': anyone who can read the folder can read these files afterwards. \
            Each file's tag is checked before it replaces the encrypted one; a file that is damaged, or whose key is \
            another one, is listed and left, and the status is 3. To have readable copies and leave the account as \
            it is, use 'valise media export'.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var selection: MediaSelectionOptions

    @Flag(help: "Only tell what would be decrypted.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try MediaConversionRun(.decrypt, account, selection, dryRun, passphrase, output).run()
    }
}

/// What both commands do.
private struct MediaConversionRun {
    private let direction: MediaDirection
    private let account: AccountOptions
    private let selection: MediaSelectionOptions
    private let isDryRun: Bool
    private let passphrase: PassphraseOptions
    private let output: OutputOptions
    private static let mostLines = 20

    init(
        _ direction: MediaDirection, _ account: AccountOptions, _ selection: MediaSelectionOptions,
        _ isDryRun: Bool, _ passphrase: PassphraseOptions, _ output: OutputOptions
    ) {
        self.direction = direction
        self.account = account
        self.selection = selection
        self.isDryRun = isDryRun
        self.passphrase = passphrase
        self.output = output
    }

    func run() throws {
        let location = try account.find()
        let key = try AccountKey(location, passphrase).key()
        let conversion = MediaConversion(direction, selection.selection)
        let report = try output.withProgress { progress in
            try isDryRun
                ? conversion.plan(location, passphrase: key, progress: progress)
                : conversion.run(location, passphrase: key, progress: progress)
        }
        output.note(report.recovery)
        if direction == .encrypt, !report.isDatabaseEncrypted, report.files > 0 {
            output.note(
                "the chat database is not encrypted, and it holds the keys: 'valise key change' sets a passphrase"
            )
        }
        try output.print(report, type: isDryRun ? "mediaConversionPlan" : "mediaConverted") { text(report) }
        if report.leftCount > 0 { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ report: MediaConversionReport) -> String {
        let verb = (isDryRun ? "would be " : "") + (direction == .encrypt ? "encrypted" : "decrypted")
        let state = direction == .encrypt ? "encrypted" : "plain"
        var lines = ["\(Count.text(report.files, "file")) \(verb), \(ByteCount.text(report.bytes))"]
        if report.already > 0 { lines.append("\(Count.text(report.already, "file")) already \(state)") }
        if report.waiting > 0 {
            lines.append("\(Count.text(report.waiting, "file")) not received yet, or cancelled")
        }
        if isDryRun, report.files > 0 {
            lines.append("needs \(ByteCount.text(report.spaceNeeded)) beside the account while it runs")
        }
        if report.leftCount > 0 {
            lines.append("\(Count.text(report.leftCount, "file")) left alone:")
            lines += report.left.prefix(Self.mostLines).map { "  \($0.path): \($0.message)" }
            if report.leftCount > Self.mostLines {
                let more = report.leftCount - Self.mostLines
                lines.append("  " + Count.more(more, listed: report.left.count, of: report.leftCount))
            }
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
