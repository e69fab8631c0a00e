import ArgumentParser
import Valise

struct ArchiveExtractCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Take some files out of an archive, after the checks of an import.",
        discussion: """
            Patterns are those of a shell (*, ?, [a-z]) and mean whole paths, or last components where they have \
            no slash: 'simplex_v1_files/*', '*.jpg'. Quote them. Without a pattern everything is extracted. The \
            structure of the whole archive is checked first. A file gets its name when its checksum was right, in \
            a folder below <directory> and never through a link there; what is there is replaced with --force only, and \
            by a file of its kind: a picture by a picture, a text by a text.

            With --decrypt-media the media are decrypted with the keys in the chat database of the archive; a file \
            gets its name when its tag was verified. Media without a key are extracted as they lie, and counted.

            Exit status 3 when entries could not be extracted or a pattern means none, 10 when no pattern means \
            any, 13 or 14 for an archive that is refused.
            """)

    @Argument(help: "The archive.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Argument(help: "What to extract; everything without one.")
    var patterns: [String] = []

    @Option(
        name: [.customShort("C"), .long], help: "The folder to extract to; it is made where it is missing.",
        completion: .directory)
    var directory: String

    @Flag(help: "Decrypt media with the keys in the archive.")
    var decryptMedia = false

    @Flag(help: "Replace files that are there, each by one of its kind.")
    var force = false

    @Flag(help: "Only tell what would be extracted.")
    var dryRun = false

    @OptionGroup var limits: ArchiveLimitOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ExtractArchive(
            FilePath(archive), to: FilePath(directory),
            options: .init(
                patterns: patterns, replacesFiles: force, decryptsMedia: decryptMedia, limits: limits.limits),
            passphrase: passphrase.choice)
        let report =
            try dryRun
            ? output.plan(operation, Answers(passphrase)) : output.run(operation, Answers(passphrase))
        try output.print(report, type: dryRun ? "archiveExtractionPlan" : "archiveExtracted") { text(report) }
        if !output.json {
            ArchiveErrorText.print(report.archiveErrors)
            for pattern in report.unmatched {
                StandardStreams.complain("\(pattern.withoutControls): no entry is meant by this")
            }
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ report: ExtractionReport) -> String {
        let verb = report.isDryRun ? "would extract" : "extracted"
        var lines = [
            "\(verb) \(Count.text(report.entries, "file")) (\(ByteCount.text(report.size))) to \(report.outPath)"
        ]
        if report.decrypted > 0 { lines.append("\(report.decrypted) of them decrypted") }
        if let count = report.withoutKey, count > 0 {
            lines.append("\(count) of them media without a key in the database, as they lie in the archive")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
