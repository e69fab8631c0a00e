import AccountArchives
import Archives
import ArgumentParser
import SystemPackage

struct ArchiveImportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Check a zip and put its account in place, as one act.",
        discussion: """
            The whole archive is checked and unpacked beside the account; the databases are opened with the \
            passphrase where one is given. Only then is anything put in place. Interrupted at any moment, the \
            former account or the new one is there. Media of the same name are replaced, others stay. Media \
            that are damaged are listed, and the exit status is 3; a damaged or missing database changes \
            nothing.
            """)

    @Argument(help: "The archive.", completion: .file(extensions: ["zip"]))
    var archive: String

    @OptionGroup var account: AccountOptions

    @Flag(
        help: "Replace the account that is in the folder.")
    var intoExisting = false

    @Option(help: "The most bytes that the archive may unpack to.")
    var maxSize: Int64?

    @Option(help: "How many times larger than packed a large entry may be.")
    var maxRatio: Int64 = 200

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard maxRatio > 0, maxSize ?? 1 > 0 else {
            throw ValidationError("--max-size and --max-ratio are greater than 0.")
        }
    }

    func run() throws {
        let limits = ZipLimits(totalSize: maxSize ?? .max, ratio: maxRatio)
        let options = ArchiveImport.Options(replacesAccount: intoExisting, limits: limits)
        let location = try account.place()
        let key = try passphrase.given()
        let report = try output.withProgress { progress in
            try ArchiveImport(options).import(
                FilePath(archive), to: location, passphrase: key, progress: progress)
        }
        output.note(report.recovery)
        try output.print(report) { text(report) }
        if !output.json { ArchiveErrorText.print(report.archiveErrors) }
        if !report.archiveErrors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ report: ImportReport) -> String {
        var lines = [
            "imported \(Count.text(report.entries, "file")) (\(ByteCount.text(report.size))) into \(account.directory)"
                + (report.replacedAccount ? ", in place of the former account" : "")
        ]
        lines += report.ignored.map { "\($0.withoutControls): no part of an account, left in the archive" }
        if !report.databasesOpened {
            lines.append("the databases were not opened, because no passphrase was given")
        }
        return lines.joined(separator: "\n")
    }
}
