import ArgumentParser
import ValiseAccounts
import ValiseFiles

struct AccountRecover: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Complete or clean up what an interrupted run left.",
        discussion: "Every command that changes an account does this first; this one does nothing else.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let opened = try AccountWriter(try account.find(), toChange: false, fileSystem: FileSystem())
        try output.print(AccountRecoveryResult(opened.recovery)) {
            opened.recovery.map(\.done.text)
                ?? "nothing was left to clean up"
        }
    }
}
