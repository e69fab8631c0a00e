import ArgumentParser
import Valise
import ValiseTerminal

struct AccountStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of an account.",
        discussion: """
            Changes nothing and needs no passphrase. Without one, schema and cipher are not shown. A stored \
            passphrase is used, but none is asked for. The exit status is 13 if a database is found to be damaged; \
            'valise account check' checks every page. With --exit-code, the exit status is 20 if work is pending: a \
            migration, its confirmation, or an interrupted operation. It is 64 if no such work was found, but \
            databases could not be opened without a passphrase.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with status 20 if work is pending, or 64 if that is unknown without a passphrase.")
    var exitCode = false

    func run() throws {
        let status = try output.run(InspectAccount(try account.find(output), passphrase: passphrase.choice))
        try output.print(status, type: "accountStatus") { AccountStatusText(status: status).text }
        if let damage = status.damage { throw damage }
        let refused = status.databases.contains { $0.1.access == .refused }
        if refused { throw ExitStatusError(status: .wrongPassphrase) }
        if status.databases.contains(where: { $0.1.access == .failed }) {
            throw ExitStatusError(status: .failed)
        }
        guard exitCode else { return }
        if status.isWorkPending { throw ExitStatusError(status: .workDue) }
        let unopened = status.databases.filter { $0.1.access == .noPassphrase }.map(\.0.rawValue)
        guard !unopened.isEmpty else { return }
        StandardStreams.complain(
            "cannot check for pending work: no passphrase given or stored for "
                + unopened.joined(separator: " and "))
        throw ExitStatusError(status: .usage)
    }
}
