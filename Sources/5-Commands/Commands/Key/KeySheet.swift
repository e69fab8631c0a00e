import ArgumentParser
import Valise

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
    var format: SheetFormat?

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
        if verify { return try compare(location) }
        guard let file = self.file.map({ FilePath($0) }), let format = fileFormat else { return }
        let content = ReplaceableContent.drawing(format == .pdf ? .pdf : .svg)
        try PrivateFile.checkPlace(file, force: force, content)
        let key = try passphrase.existing(for: location)
        try PassphraseCheck.require(key, location)
        var outcome: RecoverySheet.Outcome?
        let sheet = try RecoverySheet.draw(key, try details(location), as: format) { outcome = $0 }
        try PrivateFile.write(sheet, to: file, force: force, content)
        try report(file, format, outcome)
    }

    private var fileFormat: RecoverySheet.Format? {
        format?.format ?? file.flatMap { RecoverySheet.Format(rawValue: FilePath($0).extension ?? "") }
    }

    private func details(_ location: AccountLocation) throws -> RecoverySheet.Details {
        RecoverySheet.Details(
            folder: try FileSystem().resolve(location.directory).string, prefix: location.prefix,
            date: LocalTime().date, usage: Self.usage)
    }

    private static let usage = [
        "With Valise: type it where a command asks for it, or write it into a file that only you can read and "
            + "give --passphrase-file.",
        "Now and then, see whether it is still right: run valise key sheet --verify with the account's folder "
            + "and type what stands here.",
    ]

    private func compare(_ location: AccountLocation) throws {
        let typed = try passphrase.source.existing(for: location.directory.string)
        try PassphraseCheck.require(typed, location)
        try output.print(Verified(account: location.directory.string)) {
            "the passphrase is right: it opens both databases"
        }
    }

    private func report(
        _ file: FilePath, _ format: RecoverySheet.Format, _ outcome: RecoverySheet.Outcome?
    ) throws {
        let result = Result(
            file: file.string, format: format.rawValue, hasCode: outcome?.hasCode ?? false,
            isEscaped: outcome?.isEscaped ?? false, pages: outcome?.pages ?? 0)
        if !result.hasCode { output.note("the passphrase is too long for a QR code, so there is none") }
        try output.print(result) {
            "wrote the recovery sheet to \(file); print it, remove the file, and try the sheet with --verify"
        }
    }

    private struct Result: Encodable {
        let type = "keySheet"
        let file: String
        let format: String
        let hasCode: Bool
        let isEscaped: Bool
        let pages: Int
    }

    private struct Verified: Encodable {
        let type = "keySheetVerified"
        let account: String
    }
}

/// The formats of a sheet as an argument.
enum SheetFormat: String, ExpressibleByArgument, CaseIterable {
    case pdf, svg

    var format: RecoverySheet.Format { self == .pdf ? .pdf : .svg }
}
