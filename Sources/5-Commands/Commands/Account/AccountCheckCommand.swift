import ArgumentParser
import Valise

struct AccountCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tell whether an account is whole, in a folder or inside of an archive.",
        discussion: """
            Changes nothing. Checks the HMAC of every page, walks through all tables and indexes, looks for rows \
            that refer to nothing, compares the users of both databases, and the media with what messages say of \
            them. An account in a zip file is checked without unpacking it. With --quick the walk is left out: \
            the HMACs alone tell whether every page is what was written. A database without encryption has none, \
            so it gets SQLite's quick check. Ends with status 13 for a damaged database, 12 for a wrong \
            passphrase, 3 when only media are missing or differ.
            """)

    @OptionGroup var account: AccountOptions

    @Flag(help: "Leave out the walk through tables and indexes.")
    var quick = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = CheckAccount(FilePath(account.directory), passphrase: passphrase.choice)
        operation.prefix = account.prefix
        operation.isQuick = quick
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "accountCheck") { AccountCheckText(report).text }
        switch report.verdict {
        case .whole: break
        case .mediaProblems: throw ExitStatusError(status: .entryErrors)
        case .damaged: throw ExitStatusError(status: .damaged)
        case .wrongPassphrase: throw ExitStatusError(status: .wrongPassphrase)
        }
    }
}
