public import ArgumentParser
public import Valise
import ValiseTerminal

struct ArchiveExportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export an account to a zip or tar archive.",
        discussion: """
            The official apps import a zip. With a name that ends in .tar or .tar.zst, or with --format, the same \
            entries are written as a tar, for backups with other tools. Valise imports all of them.

            The databases stay encrypted with their passphrase. The passphrase is optional; if it is given, it is \
            checked by opening both databases first, and every page is checked for damage. The archive appears under its \
            name only when it is complete. Damaged databases, and files that cannot be read or whose names are not \
            portable, are listed, and the exit status is 3.

            An export to a zip that was interrupted after its first 256 MiB or ten seconds is continued by the next export \
            to the same name with the same packing options: media in ARCHIVE.partial that have not changed since are \
            checked and kept, and the databases are written again. If the databases changed in size, it starts from the \
            beginning. After a week, the next export in that folder removes an unfinished archive.

            A snapshot as REPO::SNAPSHOT is first restored into a private folder beside the archive. Databases that it keeps \
            open are encrypted with the passphrase, which is asked for twice if it is not given.

            With - as the archive, it is streamed to standard output, which must not be a terminal, and \
            messages go to standard error. Such an export is not recorded as a job. With an exit status other than \
            0 or 3, the output is not a valid archive, and every reader rejects it.

            The options that leave out media make a partial archive. The report lists the files left out. The \
            databases in it are complete, and the official apps import it. --chat and --media-since need the \
            passphrase. They include a file if at least one message that refers to it matches, and leave out files \
            without a message.

            In the archive's name and its folders, {date} is the local date, such as 2026-01-31, {time} the time, such \
            as 153012, and {account} the account folder's name; in the name, {{ is a brace. With --keep-last N, earlier archives in the same folder \
            whose names match are removed after a complete export, so that N are left. They are listed first, and you \
            are asked; without a terminal, --yes is required. If no passphrase was given to check the databases, the \
            newest earlier archive always stays. Files of other names or formats, and files that are not intact account \
            archives, are never removed.

            The folder of Session Desktop or Session iOS is exported byte for byte, into a new folder, a .tar or a .tar.zst, with a \
            manifest.json for 'valise archive verify'. Its database is as of one moment. Caches are left out.

            With --reproducible, identical files give an identical archive, regardless of file times. Compare two \
            such exports by the SHA-256 in the report. Both need the same version of Valise and the same --level, \
            and no write-ahead log that must be merged.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(
        help: ArgumentHelp(
            "The archive to write, or - for standard output. A single argument is the archive. Its name may have "
                + "placeholders, such as {date}."),
        completion: .file(extensions: ["zip", "tar", "zst"]))
    var archive: String?

    @Option(help: "zip, tar, or tar.zst; the default is that of the archive's name, else zip.")
    var format: ExportFormat?

    @Flag(name: .customLong("no-compression"), help: "Store entries uncompressed.")
    var noCompression = false

    @Option(help: "Compression level of Deflate or Zstandard, from 1 to 9; the default is 5.")
    var level: Int?

    @Flag(help: "Replace an existing archive. Other files are never replaced.")
    var force = false

    @OptionGroup var scope: ArchiveScopeOptions

    @Flag(help: "Write an identical archive for identical files, and print its SHA-256.")
    var reproducible = false

    @OptionGroup var retention: ArchiveRetentionOptions
    @OptionGroup var dryRun: DryRunOption

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...9).contains(level ?? ArchiveExport.Options.usualLevel) else {
            throw ValidationError("--level must be from 1 to 9")
        }
        guard !noCompression || level == nil else {
            throw ValidationError("Use only one of --level and --no-compression")
        }
        let archive = try self.account.and(self.archive, "archive").target
        let kind = kind(of: archive)
        guard kind != .tar || (level == nil && !noCompression) else {
            throw ValidationError(
                "A tar is not compressed. Use tar.zst, or leave out --level and --no-compression.")
        }
        guard kind != .tarZstd || !noCompression else {
            throw ValidationError("Use tar instead of tar.zst with --no-compression")
        }
        if !dryRun.isAsked { try output.check(archive) }
        try retention.check(archive)
    }

    private func kind(of archive: String) -> ExportFormat {
        format ?? ExportFormat(endingOf: archive) ?? .zip
    }

    func run() throws {
        let (named, archive) = try self.account.and(self.archive, "archive")
        if try exportedSession(archive) { return }
        if format == nil, let ending = ExportFormat.foreignEnding(of: archive) {
            throw CommandError(
                .invalid, "an export writes zip, tar and tar.zst, not \(ending)", subject: archive,
                hints: Self.hints(archive, ending))
        }
        let snapshot = try named.snapshot()
        let account = try snapshot?.account ?? named.find(output)
        let isStream = archive == FileStreams.dash
        if isStream, !dryRun.isAsked { try refuseTerminal() }
        let place = try TemplatedPath(FilePath(archive), of: account)
        var options = ArchiveExport.Options(
            compresses: !noCompression, level: level, replacesFile: force, scope: scope.scope,
            isReproducible: reproducible)
        options.format = kind(of: archive)
        var operation = ExportAndRetain(
            of: account,
            to: isStream ? .descriptor(FileStreams.output) : .file(place.path),
            options: options, passphrase: passphrase.choice,
            retention: retention.operation(place, options.format))
        operation.snapshot = snapshot
        if isStream { operation.export.streamEnd = FileStreams.output }
        let answers = Answers(passphrase, yes: retention.consent.yes)
        if dryRun.isAsked {
            let plan = try output.plan(operation, answers)
            try output.print(plan, type: "archiveExportPlan") {
                ArchiveExportText.text(ArchiveExportText.text(plan.export), "would be removed:", plan.removed)
                    .asDryRun(of: plan)
            }
            return try end(plan.export.archiveErrors, isComplete: plan.export.archiveErrors.isEmpty)
        }
        let report = try output.run(operation, answers)
        try show(report, isStream: isStream)
        try end(report.export.archiveErrors, isComplete: !report.hasEntryErrors)
    }

    /// What an archive with a name of another format may be instead.
    private static func hints(_ archive: String, _ ending: String) -> [Hint] {
        guard ExportFormat.isOfTar(ending) else {
            return [Hint("write a zip with this name", options: "--format zip")]
        }
        let name = FilePath(String(archive.dropLast(ending.count)) + ".tar.zst")
        return [
            Hint("choose a name that ends in .tar.zst, such as \(ShellWord(name).text)"),
            Hint("write an uncompressed tar with this name", options: "--format tar"),
        ]
    }

    private func end(_ errors: [ArchiveError], isComplete: Bool) throws {
        if !output.json { ArchiveErrorText.print(errors) }
        if !isComplete { throw ExitStatusError(status: .entryErrors) }
    }

    private func refuseTerminal() throws {
        guard StandardStreams.outputIsTerminal else { return }
        throw CommandError(
            .invalid, "cannot write an archive to a terminal. Redirect standard output to a file or a pipe.")
    }

    private func show(_ report: RetainedExport, isStream: Bool) throws {
        guard isStream else {
            return try output.print(report) {
                ArchiveExportText.text(
                    ArchiveExportText.text(report.export, isQuiet: output.quiet), "removed", report.removed)
            }
        }
        if !output.quiet { StandardStreams.printError(ArchiveExportText.text(report.export)) }
    }
}

extension ExportFormat: ExpressibleByArgument {}

/// Errors of single entries for a user.
enum ArchiveErrorText {
    static func print(_ errors: [ArchiveError]) { print(errors.map { $0.text() }, of: errors) }

    static func text(_ error: ArchiveError) -> String { error.text(RemedyText.words).withoutControls }

    /// The first ones.
    static func printFirst(_ errors: [ArchiveError]) {
        print(FirstLines.of(errors, of: errors.count, indent: "") { $0.text() }, of: errors)
    }

    /// Each hint is shown once.
    private static func print(_ lines: [String], of errors: [ArchiveError]) {
        for line in lines { StandardStreams.complain(line.withoutControls) }
        for hint in RemedyCommand.notes(errors.compactMap(\.remedy)) {
            StandardStreams.printError(hint.withoutControls)
        }
    }
}
