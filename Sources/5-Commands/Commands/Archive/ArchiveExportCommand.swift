import ArgumentParser
import Valise

struct ArchiveExportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an account into a zip that the official programs import.",
        discussion: """
            The databases stay encrypted with their passphrase, which is not needed for this; where it is \
            given, both databases are opened first to prove it. The archive appears under its name only when \
            it is complete. Files that cannot be read or whose names are not portable are listed, and the \
            exit status is 3.

            With - as the archive it is written to standard output, front to back, and what is said of it goes to \
            standard error; not to a terminal. Such an export is no job. Where the exit status is neither 0 nor 3, what \
            was written is no archive, and whatever reads zip files says so.

            The options that leave media out make a partial archive, and the report says so and names what is \
            missing; the databases are whole in it, and the official programs import it. For --chat and \
            --media-since the passphrase is needed. A file of several messages goes along when one of them is \
            meant, and one of no message stays. With --reproducible the same files give the same bytes, whatever \
            their times are, so that two exports compare by the SHA-256 in the report; the same version and the \
            same --level are needed for that, and no write-ahead log that has to be folded in.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(help: "The archive to write, or - for standard output.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Flag(name: .customLong("no-compression"), help: "Store every entry as it is.")
    var noCompression = false

    @Option(help: "How hard Deflate tries, from 1 to 9; 5 without this.")
    var level: Int?

    @Flag(help: "Replace an archive of this name; nothing else is replaced.")
    var force = false

    @OptionGroup var scope: ArchiveScopeOptions

    @Flag(help: "Make the same bytes of the same files, and tell their SHA-256.")
    var reproducible = false

    @Flag(help: "Only tell what would be exported and what left out.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...9).contains(level ?? ArchiveExport.Options.usualLevel) else {
            throw ValidationError("--level is from 1 to 9.")
        }
        guard !noCompression || level == nil else {
            throw ValidationError("--level says how hard to compress, and --no-compression not to: give one.")
        }
        if !dryRun { try output.check(archive) }
    }

    func run() throws {
        let account = try account.find()
        let isStream = archive == FileStreams.dash
        if isStream, !dryRun { try ArchiveStreamOutput.check(account) }
        let operation = ExportArchive(
            of: account,
            to: isStream ? .stream { try ArchiveStreamOutput.write($0) } : .file(FilePath(archive)),
            options: ArchiveExport.Options(
                compresses: !noCompression, level: level ?? ArchiveExport.Options.usualLevel,
                replacesFile: force, scope: scope.scope, isReproducible: reproducible),
            passphrase: passphrase.choice)
        let errors: [ArchiveError]
        if dryRun {
            let plan = try output.plan(operation, Answers(passphrase))
            try output.print(plan, type: "archiveExportPlan") { ArchiveExportText.text(plan) }
            errors = plan.archiveErrors
        } else {
            let report = try output.run(operation, Answers(passphrase))
            try show(report, isStream: isStream)
            errors = report.archiveErrors
        }
        if !output.json { ArchiveErrorText.print(errors) }
        if !errors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func show(_ report: ExportReport, isStream: Bool) throws {
        guard isStream else { return try output.print(report) { ArchiveExportText.text(report) } }
        if !output.quiet { StandardStreams.printError(ArchiveExportText.text(report)) }
    }
}

/// Errors of single entries for a user.
enum ArchiveErrorText {
    static func print(_ errors: [ArchiveError]) {
        for error in errors { StandardStreams.complain(text(error)) }
    }

    static func text(_ error: ArchiveError) -> String {
        switch error {
        case .import(let text): text.withoutControls
        case .fileError(let file, let text): "\(file): \(text.text)".withoutControls
        }
    }
}
