import ArgumentParser

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Create, find, inspect, check and repair accounts.",
        subcommands: [
            AccountCreate.self, AccountFind.self, AccountStatusCommand.self, AccountCheckCommand.self,
            AccountSQL.self,
            AccountCompact.self, AccountSalvageCommand.self, AccountRecover.self,
        ])
}
