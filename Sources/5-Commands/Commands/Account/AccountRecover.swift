import ArgumentParser
import Valise

struct AccountRecover: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Complete or roll back an interrupted operation.",
        discussion: "Every command that changes an account does this first. This command does nothing else.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.find(output)
        let operation = RecoverAccount(location)
        if dryRun.isAsked {
            let pending = try output.plan(operation)
            return try output.show("accountRecovery", would: pending.map { [Self.change($0)] } ?? [])
        }
        let report = try output.run(operation)
        try output.print(report) {
            let key = Hint("see which passphrase opens it", command: "key verify", location.arguments)
            let check = Hint("check for damage", command: "account check", location.arguments)
            let hints = (report.passphrase == .unknown ? [key] : []) + (report.foundNothing ? [check] : [])
            return ([RecoveredText.text(report)] + hints.map(\.note)).joined(separator: "\n")
        }
    }

    private static func change(_ pending: OperationRecord) -> String {
        (pending.job != nil ? "close: " : pending.state == .decided ? "complete: " : "roll back: ")
            + pending.title
    }
}
