import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct ArchiveExtractCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Extract files from an archive.",
        discussion: """
            The archive may be a zip, tar (also compressed with gzip, xz or Zstandard), cpio or 7z file. Archives \
            other than zip are first unpacked to an unnamed temporary file in the folder.

            Patterns are shell patterns (*, ?, [a-z]). They match whole paths, or last components if they contain no \
            slash: 'simplex_v1_files/*', '*.jpg'. Quote them. Without a pattern, everything is extracted. The \
            structure of the whole archive is checked first, as for an import. A file appears under its name only \
            after its checksum has been verified. Files are written below <directory>, and links there are not \
            followed. Existing files are replaced only with --force, and only by files of the same kind: a picture \
            by a picture, a text by a text.

            With --decrypt-media, media are decrypted with the keys in the archive's chat database. A decrypted file \
            appears only after its tag has been verified. Media that are not encrypted are extracted unchanged and \
            counted.

            Exits with 3 if entries could not be extracted or a pattern matches nothing, with 10 if no pattern matches \
            anything, and with 13 or 14 if the archive is refused.
            """)

    @Argument(help: "The archive to extract from.", completion: .file())
    var archive: String

    @Argument(help: "Patterns of the entries to extract. The default is all entries.")
    var patterns: [String] = []

    @Option(
        name: [.customShort("C"), .long], help: "The folder to extract to; created if missing.",
        completion: .directory)
    var directory: String

    @Flag(help: "Decrypt media with the keys in the archive's chat database.")
    var decryptMedia = false

    @Flag(help: "Replace existing files, each only by one of the same kind.")
    var force = false

    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var limits: ArchiveLimitOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ExtractArchive(
            FilePath(archive), to: FilePath(directory),
            options: .init(
                patterns: patterns, replacesFiles: force, decryptsMedia: decryptMedia, limits: limits.limits),
            passphrase: passphrase.choice)
        let report = try output.run(operation, Answers(passphrase), dryRun)
        try output.print(report, type: dryRun.isAsked ? "archiveExtractionPlan" : "archiveExtracted") {
            text(report).asDryRun(of: report, if: report.isDryRun)
        }
        if !output.json {
            ArchiveErrorText.printFirst(report.archiveErrors)
            for pattern in report.unmatched {
                StandardStreams.complain("\(pattern.withoutControls): no entry matches")
            }
        }
        if !report.isComplete { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ report: ExtractionReport) -> String {
        let verb = report.isDryRun ? "would extract" : "extracted"
        var lines = [
            "\(verb) \(Count.text(report.entries, "file")) (\(Count.bytes(report.size))) to \(report.outPath)"
        ]
        if report.decrypted > 0 { lines.append("\(report.decrypted) of them decrypted") }
        if let count = report.withoutKey, count > 0 {
            lines.append("\(Count.text(count, "media file")) not encrypted, left unchanged")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
