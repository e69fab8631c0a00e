import ArgumentParser
import Valise

struct AccountCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an account or archive for damage.",
        discussion: """
            Changes nothing. Verifies the HMAC of every page, walks all tables and indexes, and looks for rows with \
            dangling references. Compares the users of both databases, and the media with the messages that refer to \
            them. An account in a zip file is checked without unpacking it. --quick skips the walk: the HMACs alone \
            show whether every page is as written. An unencrypted database has no HMACs, so it gets SQLite's quick \
            check. A store of Session is checked as by 'valise session check'. The exit status is 13 for a damaged or missing database, 12 for a wrong passphrase, and 3 if only \
            media are missing or differ.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Flag(help: "Skip the walk through tables and indexes.")
    var quick = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let account = try account.choose(output)
        if try SessionPlace.find(account.path) != nil {
            return try output.checkSession(
                account.path, isQuick: quick, passphrase.choice, Answers(passphrase))
        }
        var operation = CheckAccount(account.path, passphrase: passphrase.choice)
        operation.prefix = account.prefix
        operation.isQuick = quick
        let report = try output.run(operation, Answers(passphrase))
        // Nil for an archive.
        let location = try? account.find()
        let salvage =
            try location.map {
                RemedyCommand.hints(
                    report.danglingRows == nil ? .salvageAccount(.init($0)) : .leaveOutOrphans(.init($0)))
            } ?? hints(for: account.path)
        let text = AccountCheckText(report: report, salvage: salvage)
        try output.print(report, type: "accountCheck") { text.text }
        switch report.verdict {
        case .intact: break
        case .mediaProblems: throw ExitStatusError(status: .entryErrors)
        case .damaged: throw ExitStatusError(status: .damaged)
        case .wrongPassphrase: throw ExitStatusError(status: .wrongPassphrase)
        }
    }

    /// For what is no account in a folder.
    private func hints(for path: FilePath) throws -> [Hint] {
        guard try SnapshotName.find(path) == nil else {
            return [Hint("check the repository", command: "backup verify", nil)]
        }
        return [Hint("recover intact entries", command: "archive salvage", RemedyCommand.salvage(path))]
    }
}
