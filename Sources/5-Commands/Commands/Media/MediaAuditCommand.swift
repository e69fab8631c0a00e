import ArgumentParser
import Valise

struct MediaAuditCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Compare media files with the messages that refer to them.",
        discussion: """
            Changes nothing. Verifies the tag of every encrypted file. Where possible, a wrong key is distinguished \
            from damage: whether another message's key fits, and whether the decrypted content makes sense. \
            Unencrypted files have no checksum, so only their size is compared. An account in a zip file is audited \
            without unpacking it. The exit status is 13 if a file is damaged, has a wrong key or size, is encrypted \
            without a key or unencrypted with one; 3 if files are only missing, unreferenced, named twice, links, or \
            outside the account; 12 for a wrong passphrase.
            """)

    @OptionGroup var account: ReadableAccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let account = try account.choose(output)
        var operation = AuditMedia(of: account.path, passphrase: passphrase.choice)
        operation.prefix = account.prefix
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "mediaAudit") { MediaAuditText(report: report).text }
        if report.hasDamage { throw ExitStatusError(status: .damaged) }
        if !report.isClean { throw ExitStatusError(status: .entryErrors) }
    }
}
