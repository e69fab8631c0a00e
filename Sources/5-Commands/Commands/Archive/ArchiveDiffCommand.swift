import ArgumentParser
import Valise

struct ArchiveDiffCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two accounts, each in a zip or in a folder.",
        discussion: """
            Changes nothing and unpacks nothing. Compares the entries of archives by size and CRC-32, files of two \
            folders byte by byte; databases whose bytes differ table by table and row by row; messages by their \
            ids, so that it can say which account is the continuation of the other; media whose bytes differ by \
            their decrypted content. Of archives only the databases are read and checked; 'valise archive verify' \
            reads everything. A passphrase that is given is that of both, unless --other-passphrase-file and its like \
            give one for the second; a stored one counts where none is given. Without a passphrase (none is given, stored, or asked for with --no-input) \
            encrypted databases are compared by their bytes alone. Ends with status 0 whatever differs, and with \
            --exit-code with 20 where something does; with 3 where files could not be read.
            """)

    @Argument(
        help: ArgumentHelp(
            "The first: a zip, or the folder of an account, or folder and prefix in one.", valueName: "a"),
        completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The second, likewise.", valueName: "b"), completion: .file())
    var second: String

    @Flag(help: "End with status 20 when something differs.")
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
        try output.print(report, type: "archiveDiff") { ArchiveDiffText(report).text }
        if report.unreadable > 0 { throw ExitStatusError(status: .entryErrors) }
        if exitCode, !report.isSame { throw ExitStatusError(status: .workDue) }
    }
}

/// Where the passphrase of the second account comes from, if it has another one.
struct OtherPassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the passphrase of the second account from this file, where it has another one.",
        completion: .file())
    var otherPassphraseFile: String?

    @Option(help: "Run this command with sh; the passphrase of the second account is what it prints.")
    var otherPassphraseCommand: String?

    @Option(help: "Read the passphrase of the second account from this open file descriptor.")
    var otherPassphraseFd: Int32?

    func validate() throws {
        let sources = [
            otherPassphraseFile != nil, otherPassphraseCommand != nil, otherPassphraseFd != nil,
        ].count { $0 }
        guard sources <= 1 else {
            throw ValidationError(
                "Give only one of --other-passphrase-file, --other-passphrase-command, --other-passphrase-fd."
            )
        }
    }

    /// Nil when they say nothing.
    var given: PassphraseSource.Given? {
        PassphraseSource.Given(
            file: otherPassphraseFile, command: otherPassphraseCommand, descriptor: otherPassphraseFd)
    }
}
