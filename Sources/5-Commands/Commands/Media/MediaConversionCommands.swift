import ArgumentParser
import Valise

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

            The previous content is removed, not overwritten; on most media it can be brought back with effort until \
            the space is used again.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var selection: MediaSelectionOptions

    @Flag(help: "Only tell what would be encrypted.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.convert(
            EncryptMedia(of: account.find(), selection.selection, passphrase: passphrase.choice),
            Answers(passphrase), dryRun: dryRun)
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
        try output.convert(
            DecryptMedia(of: account.find(), selection.selection, passphrase: passphrase.choice),
            Answers(passphrase), dryRun: dryRun)
    }
}

extension OutputOptions {
    fileprivate func convert(
        _ operation: ConvertMedia<some MediaDirectionChoice>, _ answers: Answers, dryRun: Bool
    ) throws {
        let converted = try dryRun ? plan(operation, answers) : run(operation, answers)
        try MediaConversionText(converted.direction, isDryRun: dryRun).print(converted.report, self)
    }
}
