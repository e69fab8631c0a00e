import ArgumentParser
import Valise

struct MediaAuditCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract:
            "Tell for each file whether it is what the messages say, in a folder or inside of an archive.",
        discussion: """
            Changes nothing. Proves the tag of every encrypted file, and tells a wrong key from damage where it \
            can: whether the key of another message fits, and whether the content makes sense once decrypted. \
            Plain files carry no checksum, so of them only the size is compared. An account in a zip file is \
            audited without unpacking it. Ends with status 13 when a file is damaged, has a wrong key or size, \
            is encrypted without a key or plain with one; 3 when files are only missing, in no message, \
            named twice, links, or elsewhere; 12 for a wrong passphrase.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = AuditMedia(of: FilePath(account.directory), passphrase: passphrase.choice)
        operation.prefix = account.prefix
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "mediaAudit") { MediaAuditText(report).text }
        if report.hasDamage { throw ExitStatusError(status: .damaged) }
        if !report.isClean { throw ExitStatusError(status: .entryErrors) }
    }
}
