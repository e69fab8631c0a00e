import ArgumentParser
import Valise

struct ArchiveDiffCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two accounts, each in an archive or a folder.",
        discussion: """
            Changes nothing and unpacks nothing. Archive entries are compared by size and CRC-32, files of two \
            folders byte by byte. Databases with different bytes are compared by table and row, media with \
            different bytes by their decrypted content. Messages are compared by ID to find which account \
            continues the other. In archives, only the databases are read and checked; 'valise archive verify' \
            reads everything.

            The passphrase applies to both accounts, unless an --other-passphrase option sets one for the second. \
            If none is given, the stored one is used, else you are asked for it, unless --no-input is given. Without \
            a passphrase, encrypted databases are compared by their bytes only.

            Exits with 0 even if the accounts differ; with --exit-code, exits with 20 if they do. Exits with 3 if \
            files could not be read.
            """)

    @Argument(
        help: ArgumentHelp(
            "The first account: an archive, a folder, a folder and prefix in one path, or REPO::SNAPSHOT.",
            valueName: "a"),
        completion: .file())
    var first: String

    @Argument(
        help: ArgumentHelp(
            "The second account: an archive, a folder, a folder and prefix in one path, or REPO::SNAPSHOT.",
            valueName: "b"),
        completion: .file())
    var second: String

    @Flag(help: "Exit with status 20 if the accounts differ.")
    var exitCode = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var other: OtherPassphraseOptions
    @OptionGroup var output: OutputOptions

    /// SQLite's share: pages, two rows of each side, and schemas that nobody checked yet.
    private static let databaseMemory: Int64 = 384 << 20

    func run() throws {
        DatabaseMemory.limit(to: Self.databaseMemory)
        var operation = CompareAccounts(
            FilePath(first), FilePath(second), passphrase: passphrase.choice)
        operation.otherPassphrase = other.given
        var answers = Answers(passphrase)
        answers.doesWithoutPassphrase = true
        let report = try output.run(operation, answers)
        try output.print(report, type: "archiveDiff") { ArchiveDiffText(report: report).text }
        if report.unreadable > 0 { throw ExitStatusError(status: .entryErrors) }
        if exitCode, !report.isSame { throw ExitStatusError(status: .workDue) }
    }
}

/// The source of the second account's passphrase, if it differs.
struct OtherPassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the second account's passphrase from this file, if it differs.",
        completion: .file())
    var otherPassphraseFile: String?

    @Option(help: "Run this command with sh and use its output as the second account's passphrase.")
    var otherPassphraseCommand: String?

    @Option(help: "Read the second account's passphrase from this open file descriptor.")
    var otherPassphraseFd: Int32?

    func validate() throws {
        let sources = [
            otherPassphraseFile != nil, otherPassphraseCommand != nil, otherPassphraseFd != nil,
        ].count { $0 }
        guard sources <= 1 else {
            throw ValidationError(
                "Use only one of --other-passphrase-file, --other-passphrase-command, --other-passphrase-fd"
            )
        }
    }

    /// Nil if none of them is given.
    var given: PassphraseSource.Given? {
        PassphraseSource.Given(
            file: otherPassphraseFile, command: otherPassphraseCommand, descriptor: otherPassphraseFd)
    }
}
