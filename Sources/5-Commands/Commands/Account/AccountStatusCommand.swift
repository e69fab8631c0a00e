import ArgumentParser
import Valise

struct AccountStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell what an account is and what state it is in.",
        discussion: """
            Changes nothing, and needs no passphrase: without one, schema and cipher are left out. A stored one is used; \
            nobody is asked. With --exit-code the status is 20 when something waits to be done: a migration, its \
            confirmation, or what an interrupted run left; and 64 when nothing of that is seen, but databases were not \
            looked into for want of a passphrase, so that nobody knows.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "End with status 20 when work is due, and 64 when a passphrase is missing to know.")
    var exitCode = false

    func run() throws {
        let status = try output.run(InspectAccount(try account.find(), passphrase: passphrase.choice))
        try output.print(status, type: "accountStatus") { AccountStatusText(status).text }
        let refused = status.databases.contains { $0.1.access == .refused }
        if refused { throw ExitStatusError(status: .wrongPassphrase) }
        if status.databases.contains(where: { $0.1.access == .failed }) {
            throw ExitStatusError(status: .failed)
        }
        guard exitCode else { return }
        if status.isWorkDue { throw ExitStatusError(status: .workDue) }
        let unopened = status.databases.filter { $0.1.access == .noPassphrase }.map(\.0.rawValue)
        guard !unopened.isEmpty else { return }
        StandardStreams.complain(
            "whether work is due is not known: no passphrase was given or stored, so not looked into: "
                + unopened.joined(separator: ", "))
        throw ExitStatusError(status: .usage)
    }
}
