import ArgumentParser
import Valise

struct ArchiveSalvageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage", abstract: "Recover intact entries of a damaged archive into a new one.",
        discussion: """
            For archives that are truncated, concatenated or partly overwritten. Entries are found by their own \
            headers and by the remains of the central directory. Entries with a valid checksum are copied \
            unchanged. Readable data of a damaged database is recovered into a new one, as by 'valise account \
            salvage'. This needs the passphrase, which is asked for if it was not given; without it, the database's \
            bytes are kept under 'damaged/'. The damaged archive is not changed. The new one appears under its name \
            only when it is complete. Entries that exceed --max-ratio are left out, because an import would refuse \
            them.

            A tar, cpio or 7z archive is recovered into a zip, up to the first damage: nothing shows where the next \
            entry begins. Most of these archives have no checksums, so only databases and encrypted media can be \
            verified.

            Exits with 0 if the account is complete and intact, with 3 if something was lost or recovered only in \
            part, and with 13 if nothing can be recovered.
            """)

    @Argument(help: "The damaged archive.", completion: .file())
    var archive: String

    @Argument(
        help: ArgumentHelp("The archive to write.", valueName: "out"), completion: .file(extensions: ["zip"]))
    var out: String

    @Flag(help: "Replace an existing archive. Other files are never replaced.")
    var force = false

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var ratio: ArchiveRatioOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard out != FileStreams.dash else {
            throw ValidationError("A recovered archive must be written to a file, not to standard output")
        }
    }

    func run() throws {
        let operation = SalvageArchive(
            FilePath(archive), to: FilePath(out),
            options: ArchiveSalvage.Options(replacesFile: force, ratio: ratio.maxRatio),
            passphrase: passphrase.choice)
        let answers = Answers(passphrase)
        let report = try dryRun.isAsked ? output.plan(operation, answers) : output.run(operation, answers)
        try output.print(report, type: "archiveSalvaged") {
            ArchiveSalvageText(report: report).text
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
