import AccountArchives
import Accounts
import ArgumentParser
import SystemPackage

struct ArchiveExportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an account into a zip that the official programs import.",
        discussion: """
            The databases stay encrypted with their passphrase, which is not needed for this; where it is \
            given, both databases are opened first to prove it. The archive appears under its name only when \
            it is complete. Files that cannot be read or whose names are not portable are listed, and the \
            exit status is 3.
            """)

    @OptionGroup var account: AccountOptions

    @Argument(help: "The archive to write.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Flag(name: .customLong("no-compression"), help: "Store every entry as it is.")
    var noCompression = false

    @Option(help: "How hard Deflate tries, from 1 to 9.")
    var level = 5

    @Flag(help: "Replace the archive if it is there.")
    var force = false

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...9).contains(level) else { throw ValidationError("--level is from 1 to 9.") }
    }

    func run() throws {
        let options = ArchiveExport.Options(
            compresses: !noCompression, level: level, replacesFile: force)
        let location = try account.find()
        let key = try passphrase.given()
        let report = try output.withProgress { progress in
            try ArchiveExport(options).export(
                location, to: FilePath(archive), passphrase: key, progress: progress)
        }
        output.note(report.recovery)
        try output.print(report) { text(report) }
        if !output.json { ArchiveErrorText.print(report.archiveErrors) }
        if !report.archiveErrors.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ report: ExportReport) -> String {
        var lines = [
            "exported \(Count.text(report.entries, "file")) (\(ByteCount.text(report.sourceSize))) to \(report.archivePath) "
                + "(\(ByteCount.text(report.archiveSize)))"
        ]
        for database in report.folded {
            lines.append("the journal of the \(database.rawValue) database was folded in, on a copy")
        }
        if !report.databasesOpened {
            lines.append("the databases were not opened, because no passphrase was given")
        }
        return lines.joined(separator: "\n")
    }
}

/// Errors of single entries for a person.
enum ArchiveErrorText {
    static func print(_ errors: [ArchiveError]) {
        for error in errors {
            switch error {
            case .import(let text): StandardStreams.printError("valise: \(text.withoutControls)")
            case .fileError(let file, let text):
                StandardStreams.printError("valise: \("\(file): \(text)".withoutControls)")
            }
        }
    }
}
