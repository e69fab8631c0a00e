import AccountMaintenance
import ArgumentParser
import Failures
import Secrets

struct AccountStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell what an account is and what state it is in.",
        discussion: """
            Changes nothing, and needs no passphrase: without one, schema and cipher are left out. With \
            --exit-code the status is 20 when something waits to be done: a migration, its confirmation, or \
            what an interrupted run left.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "End with status 20 when work is due.")
    var exitCode = false

    func run() throws {
        let status = try AccountInspection().status(
            try account.find(), passphrase: try passphrase.given())
        try output.print(status, type: "accountStatus") { AccountStatusText(status).text }
        let refused = status.databases.contains { $0.1.access == .refused }
        if refused { throw ExitStatusError(status: .wrongPassphrase) }
        if status.databases.contains(where: { $0.1.access == .failed }) {
            throw ExitStatusError(status: .failed)
        }
        if exitCode, status.isWorkDue { throw ExitStatusError(status: .workDue) }
    }
}
