import ArgumentParser
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseSecrets

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
        let location = try account.find()
        let key =
            scope.needsDatabase
            ? try AccountKey(location, passphrase).key() : try AccountKey(location, passphrase).known(output)
        let options = ArchiveExport.Options(
            compresses: !noCompression, level: level ?? ArchiveExport.Options.usualLevel,
            replacesFile: force, scope: scope.scope, isReproducible: reproducible)
        let errors =
            if dryRun {
                try plan(options, location, key)
            } else if archive == FileStreams.dash {
                try stream(options, location, key)
            } else {
                try export(options, location, key)
            }
        if !output.json { ArchiveErrorText.print(errors) }
        if !errors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func export(
        _ options: ArchiveExport.Options, _ location: AccountLocation, _ key: borrowing SecretBytes?
    ) throws -> [ArchiveError] {
        let key = try key.duplicate()
        let act = try ArchiveExportAct(
            location, to: FilePath(archive), options, JobPassphrase(passphrase, isWanted: key != nil))
        let report = try JobbedWork.run(act, output) { _ in
            try output.withProgress { try act.perform(passphrase: key, progress: $0) }
        }
        output.note(report.recovery)
        output.noteUse(of: location.directory.string, by: report.inUse)
        try output.print(report) { ArchiveExportText.text(report) }
        return report.archiveErrors
    }

    private func stream(
        _ options: ArchiveExport.Options, _ location: AccountLocation, _ key: borrowing SecretBytes?
    ) throws -> [ArchiveError] {
        try ArchiveStreamOutput.check(location)
        let key = try key.duplicate()
        let report = try output.withProgress { progress in
            try ArchiveExport(options).export(
                location, into: ArchiveStreamOutput.write, passphrase: key, progress: progress)
        }
        output.note(report.recovery)
        output.noteUse(of: location.directory.string, by: report.inUse)
        if !output.quiet { StandardStreams.printError(ArchiveExportText.text(report)) }
        return report.archiveErrors
    }

    private func plan(
        _ options: ArchiveExport.Options, _ location: AccountLocation, _ key: borrowing SecretBytes?
    ) throws -> [ArchiveError] {
        let key = try key.duplicate()
        let plan = try output.withProgress { progress in
            try ArchiveExport(options).plan(
                location, to: archive == FileStreams.dash ? nil : FilePath(archive), passphrase: key,
                progress: progress)
        }
        output.noteUse(of: location.directory.string, by: plan.inUse)
        try output.print(plan, type: "archiveExportPlan") { ArchiveExportText.text(plan) }
        return plan.archiveErrors
    }
}

/// Errors of single entries for a person.
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
