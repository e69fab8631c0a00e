import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct AccountFind: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find the apps' accounts and show their status.",
        discussion: """
            Changes nothing and needs no passphrase. Without a folder, looks where the programs of this user keep \
            accounts: the desktop app (also as Flatpak, Snap or AppImage), the terminal client, and on a Mac the iOS \
            app and the iOS backups made by Finder. With folders, such as a mounted disk or a phone backup, searches \
            each up to 12 levels deep and does not follow links out of it.

            In an iOS backup, the databases have other names; --json shows them. Those of an encrypted backup must \
            first be decrypted with the passphrase of the backup.

            If no account is given, commands that work on an existing one use the environment variable VALISE_ACCOUNT, \
            or the account found here if there is exactly one. They print which one they use.

            The exit status is 10 if no account is found.
            """)

    @Argument(
        help: ArgumentHelp("Search these folders instead of the usual places.", valueName: "folder"),
        completion: .directory)
    var folders: [String] = []

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try output.run(FindAccounts(of: .ofUser, in: folders.map { FilePath($0) }))
        let table = found.accounts.isEmpty ? "" : try text(found.accounts)
        try output.print(found, type: "accountsFound") { table }
        found.remarks.forEach(output.note)
        guard found.accounts.isEmpty else { return }
        if output.json { throw ExitStatusError(status: .notFound) }
        throw folders.isEmpty
            ? CommandError(.notFound, "no account found in the usual places", hints: [.searchFolder])
            : CommandError(.notFound, "no account found there")
    }

    private func text(_ accounts: [FoundAccount]) throws -> String {
        let columns = ["program", "databases", "modified", "state", "account"]
        let rows = accounts.map { account in
            [
                account.program.name, Count.bytes(account.size), account.changed?.dateText ?? "",
                account.stateText, account.location.arguments,
            ].map(Value.text)
        }
        // A path is not broken, and neither is a table.
        return try TableRows.whole(columns, rows, width: StandardStreams.width(of: .standardOutput))
    }
}
