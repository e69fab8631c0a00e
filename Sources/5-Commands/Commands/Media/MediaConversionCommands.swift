import ArgumentParser
import Valise

struct MediaEncryptCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt an account's unencrypted media.",
        discussion: """
            Every file that a message refers to gets its own key, which is kept in the chat database, as the official \
            apps do with received files. Files and database change together: after a crash, the next run completes \
            the step in progress, and running the same command again does the rest. Files that are missing, of the \
            wrong size, named by several messages, links, or outside the account are listed and skipped; the exit \
            status is then 3. About a gigabyte plus a copy of the chat database is needed beside the account.

            The previous content is removed, not overwritten. On most storage it can be recovered with effort until \
            the space is used again.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var selection: MediaSelectionOptions

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.convert(
            EncryptMedia(of: account.find(output), selection.selection, passphrase: passphrase.choice),
            Answers(passphrase), dryRun)
    }
}

struct MediaDecryptCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt", abstract: "Decrypt an account's media.",
        discussion: """
            Reverses 'valise media encrypt': afterwards anyone who can read the folder can read these files. Each \
            file's tag is checked before it replaces the encrypted one. A file that is damaged or has another key is \
            listed and skipped; the exit status is then 3. 'valise media export' makes readable copies instead.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var selection: MediaSelectionOptions

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.convert(
            DecryptMedia(of: account.find(output), selection.selection, passphrase: passphrase.choice),
            Answers(passphrase), dryRun)
    }
}

extension OutputOptions {
    fileprivate func convert(
        _ operation: ConvertMedia<some MediaDirectionChoice>, _ answers: Answers, _ dryRun: DryRunOption
    ) throws {
        let converted = try run(operation, answers, dryRun)
        try MediaConversionText(direction: converted.direction, isDryRun: dryRun.isAsked)
            .print(converted.report, of: operation.account, self)
    }
}
