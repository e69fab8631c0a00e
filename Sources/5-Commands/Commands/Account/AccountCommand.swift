import ArgumentParser

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Create an account, look at it, or put it right.",
        subcommands: [
            AccountCreate.self, AccountStatusCommand.self, AccountCheckCommand.self, AccountSQL.self,
            AccountCompact.self, AccountSalvageCommand.self, AccountRecover.self,
        ])
}
