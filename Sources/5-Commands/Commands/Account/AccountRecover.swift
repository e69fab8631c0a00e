import ArgumentParser
import Valise

struct AccountRecover: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Complete or roll back an interrupted operation.",
        discussion: "Every command that changes an account does this first. This command does nothing else.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try output.run(RecoverAccount(try account.find(output)))
        try output.print(report) { report.record?.recovery?.done.text ?? "nothing to recover" }
    }
}
