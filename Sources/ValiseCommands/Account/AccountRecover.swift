import Accounts
import ArgumentParser
import Files

struct AccountRecover: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Complete or clean up what an interrupted run left.",
        discussion: "Every command that changes an account does this first; this one does nothing else.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let opened = try OpenedAccount(try account.find(), toChange: false, fileSystem: FileSystem())
        let result = Result(state: opened.recovery?.state.rawValue, act: opened.recovery?.act)
        try output.print(result) {
            opened.recovery.map(\.doneSentence)
                ?? "nothing was left to clean up"
        }
    }

    private struct Result: Encodable {
        let type = "accountRecovered"
        let state: String?
        let act: String?
    }
}
