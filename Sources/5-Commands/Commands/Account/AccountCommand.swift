import ArgumentParser

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Create, inspect, check and repair accounts.",
        subcommands: [
            AccountCreate.self, AccountStatusCommand.self, AccountCheckCommand.self, AccountSQL.self,
            AccountCompact.self, AccountSalvageCommand.self, AccountRecover.self,
        ])
}
