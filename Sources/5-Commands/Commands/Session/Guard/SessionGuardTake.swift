import ArgumentParser
import Valise
import ValiseEncoding

struct SessionGuardTake: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Copy the database and key, and verify the copy.",
        discussion: """
            The program may be running. The database is copied with its log in one consistent state, together with \
            config.json or the key of a backup, next to the store as NAME-guard-TIME. Every page of the copy is verified and \
            the copy is opened before it gets that name. A password or key is only used for that, and is not stored: you \
            need it again to restore. For Session iOS that is the 48-byte key. Attachments are counted, not copied; updates \
            do not change them.
            """)

    @OptionGroup var store: SessionStoreArgument

    @Option(
        help: ArgumentHelp("Put the guard into this folder.", valueName: "folder"), completion: .directory)
    var to: String?

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = GuardSession(
            store.path, to: to.map { FilePath($0) }, passphrase: passphrase.choice)
        let answers = Answers(passphrase)
        if dryRun.isAsked {
            return try output.show("sessionGuard", files: output.plan(operation, answers))
        }
        let taken = try output.run(operation, answers)
        try output.print(taken, type: "sessionGuardTaken") { Self.text(taken) }
    }

    private static func text(_ taken: TakenSessionGuard) -> String {
        var lines = [
            "\(taken.path): \(taken.content.schema.text), \(taken.content.text), \(Count.bytes(taken.size))",
            "not copied: \(Count.text(taken.attachments.files, "attachment")), "
                + Count.bytes(taken.attachments.size),
        ]
        if !taken.hasKey {
            lines.append("the password or key is not in the guard: keep it, you need it to restore")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
