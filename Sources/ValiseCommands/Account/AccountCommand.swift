import ArgumentParser

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Create an account, or tell its state.",
        subcommands: [AccountCreate.self, AccountStatusCommand.self, AccountRecover.self])
}
