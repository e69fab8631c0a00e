import ArgumentParser
import Valise

struct ArchiveSalvageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Save what is whole of a broken archive into a new one.",
        discussion: """
            For archives that were cut off, glued together or overwritten in places. Entries are found by \
            their own headers and by whatever is left of the central directory; those whose checksums hold \
            are copied as they are. Of a damaged database, what can be read is saved into a fresh one as \
            'account salvage' does it, which needs the passphrase; without it, its bytes are kept under \
            'damaged/'. The broken archive is only read. The new one appears under its name only when it is \
            complete. What grows more than --max-ratio is left out: no import would take it.

            Exit status 0 when all that belongs to the account is whole, 3 when something is lost or was \
            saved in part, 13 when nothing can be saved.
            """)

    @Argument(help: "The broken archive.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Argument(
        help: ArgumentHelp("The archive to write.", valueName: "out"), completion: .file(extensions: ["zip"]))
    var out: String

    @Flag(help: "Replace an archive of the name to write; nothing else is replaced.")
    var force = false

    @Flag(help: "Only tell what would be saved; nothing is left at <out>.")
    var dryRun = false

    @OptionGroup var ratio: ArchiveRatioOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard out != FileStreams.dash else {
            throw ValidationError("A salvaged archive is written to a file, not to standard output.")
        }
    }

    func run() throws {
        let operation = SalvageArchive(
            FilePath(archive), to: FilePath(out),
            options: ArchiveSalvage.Options(replacesFile: force, ratio: ratio.maxRatio),
            passphrase: passphrase.choice)
        let report = try dryRun ? output.plan(operation) : output.run(operation)
        try output.print(report, type: "archiveSalvaged") { ArchiveSalvageText(report).text }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }
}
