import ArgumentParser
import Valise
import ValiseEncoding

struct SessionExtract: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Extract the files of a store.",
        discussion: """
            Of a session.bak, all files as they are, into a new or empty folder of Session iOS: 'valise chat' and all \
            commands here read it with the password of the backup. With --attachments, and always of a folder: decrypted \
            attachments, under media by conversation, with a line each in attachments.jsonl; and what Session keeps of \
            contacts, groups and settings, under configurations, each as it is (.dump) and decoded (.json). A second run \
            copies only what is new.

            The exit status is 3 if attachments are missing or damaged.
            """)

    @OptionGroup var store: SessionStoreArgument

    @Argument(
        help: ArgumentHelp("Folder for the files; created if missing.", valueName: "out"),
        completion: .directory)
    var target: String

    @Flag(help: "Of a session.bak: extract decrypted attachments and configurations instead of all files.")
    var attachments = false

    @Flag(help: "Include attachments of messages that should have disappeared by now.")
    var includeExpired = false

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ExtractSession(store.path, to: FilePath(target), passphrase: passphrase.choice)
        if attachments { operation.unpacks = false }
        operation.includesExpired = includeExpired
        if dryRun.isAsked {
            return try output.show(
                "sessionExtract", files: try output.plan(operation, Answers(passphrase)))
        }
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "sessionExtracted") { Self.text(report) }
        try output.complain(of: report)
    }

    private static func text(_ report: ExtractedSession) -> String {
        var lines = [
            "extracted \(Count.text(report.files, "file")) (\(Count.bytes(report.size))) to \(report.path)"
        ]
        let counts = (report.attachments ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.value) \($0.key.replacing("-", with: " "))" }
        if !counts.isEmpty { lines.append("attachments: \(counts.joined(separator: ", "))") }
        if report.configurations > 0 {
            lines.append("configurations: \(report.configurations)")
        }
        if report.expired > 0 { lines.append("left out \(Count.text(report.expired, "expired message"))") }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
