public import ArgumentParser
public import Valise
import ValiseEncoding

struct KeySheet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Create a printable recovery sheet with the passphrase.",
        discussion: """
            The sheet has the passphrase as text and as a QR code, and explains how to use it. The passphrase must \
            open both databases. The file is readable only by you and as secret as the passphrase: print it and \
            remove it. --verify writes nothing: type the passphrase from the sheet, or give it with an option, to \
            check that it opens both databases. The key store is not used then.
            """)

    @OptionGroup var account: AccountOptions

    @Option(
        name: [.customShort("o"), .customLong("output")], help: "File to write.", completion: .file())
    var file: String?

    @Option(help: "pdf or svg; by default the extension of the file name.")
    var format: RecoverySheet.Format?

    @Flag(help: "Replace an existing file of the same format.")
    var force = false

    @Flag(help: "Check a printed sheet against the account.")
    var verify = false

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if verify {
            guard file == nil, format == nil, !force else {
                throw ValidationError("--verify cannot be used with --output, --format or --force")
            }
        } else if file == nil {
            throw ValidationError("Specify --output or --verify")
        } else if fileFormat == nil {
            throw ValidationError("The file name ends in neither .pdf nor .svg. Specify --format.")
        }
    }

    func run() throws {
        let location = try account.find(output)
        guard let file, let format = fileFormat else { return try compare(location) }
        var operation = DrawRecoverySheet(
            of: location, to: FilePath(file), as: format, date: LocalTime().date,
            passphrase: passphrase.choice)
        operation.replaces = force
        operation.usage = Self.usage
        if dryRun.isAsked {
            return try output.show("keySheet", files: output.plan(operation, Answers(passphrase)))
        }
        let report = try output.run(operation, Answers(passphrase))
        if !report.hasCode { output.note("the passphrase is too long for a QR code, so the sheet has none") }
        try output.print(report) {
            let hint = Hint(
                "check the printed sheet", command: "key sheet", location.arguments, options: ["--verify"])
            return "wrote the recovery sheet to \(file); print it and remove the file\n\(hint.note)"
        }
    }

    private func compare(_ location: AccountLocation) throws {
        let operation = VerifyRecoverySheet(of: location, passphrase: passphrase.choice)
        var answers = Answers(passphrase)
        answers.passphrasePrompt = "Type the passphrase from the sheet, to compare it with the account: "
        try output.print(try output.run(operation, answers)) {
            "the passphrase is correct: it opens both databases"
        }
    }

    private var fileFormat: RecoverySheet.Format? {
        format ?? file.flatMap { RecoverySheet.Format(rawValue: FilePath($0).extension ?? "") }
    }

    private static let usage = [
        "With Valise: type it when a command asks for it, or write it to a file that only you can read and use "
            + "--passphrase-file.",
        "From time to time, check that it is still correct: run valise key sheet --verify with the account "
            + "folder and type the passphrase from this sheet.",
    ]
}

extension RecoverySheet.Format: ExpressibleByArgument {}
