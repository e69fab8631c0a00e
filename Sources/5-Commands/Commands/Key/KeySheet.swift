import ArgumentParser
public import Valise

struct KeySheet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Make a sheet to print: the passphrase as text and as a QR code, and how to use it.",
        discussion: """
            The passphrase first has to open both databases. The file is readable by you alone and as secret \
            as the passphrase: print it and remove it. With --verify nothing is written: type the passphrase \
            from the sheet, or give it by an option, and both databases are opened with it. The key store is \
            not asked then.
            """)

    @OptionGroup var account: AccountOptions

    @Option(
        name: [.customShort("o"), .customLong("output")], help: "The file to write.", completion: .file())
    var file: String?

    @Option(help: "pdf or svg; by default what the name of the file ends with.")
    var format: RecoverySheet.Format?

    @Flag(help: "Replace a file of this name, if it has the same format.")
    var force = false

    @Flag(help: "Compare a printed sheet with the account.")
    var verify = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if verify {
            guard file == nil, format == nil, !force else {
                throw ValidationError(
                    "--verify writes nothing, so it goes without --output, --format, --force.")
            }
        } else if file == nil {
            throw ValidationError("Give the file to write with --output, or --verify.")
        } else if fileFormat == nil {
            throw ValidationError("The name of the file ends with neither .pdf nor .svg; give --format.")
        }
    }

    func run() throws {
        let location = try account.find()
        guard let file, let format = fileFormat else { return try compare(location) }
        var operation = DrawRecoverySheet(
            of: location, to: FilePath(file), as: format, date: LocalTime().date,
            passphrase: passphrase.choice)
        operation.replaces = force
        operation.usage = Self.usage
        let report = try output.run(operation, Answers(passphrase))
        if !report.hasCode { output.note("the passphrase is too long for a QR code, so there is none") }
        try output.print(report) {
            "wrote the recovery sheet to \(file); print it, remove the file, and try the sheet with --verify"
        }
    }

    private func compare(_ location: AccountLocation) throws {
        let operation = VerifyRecoverySheet(of: location, passphrase: passphrase.choice)
        try output.print(try output.run(operation, Answers(passphrase))) {
            "the passphrase is right: it opens both databases"
        }
    }

    private var fileFormat: RecoverySheet.Format? {
        format ?? file.flatMap { RecoverySheet.Format(rawValue: FilePath($0).extension ?? "") }
    }

    private static let usage = [
        "With Valise: type it where a command asks for it, or write it into a file that only you can read and "
            + "give --passphrase-file.",
        "Now and then, see whether it is still right: run valise key sheet --verify with the account's folder "
            + "and type what stands here.",
    ]
}

extension RecoverySheet.Format: ExpressibleByArgument {}
