import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make, keep, print and forget the passphrase of an account.",
        subcommands: [
            KeyGenerate.self, KeyStoreCommand.self, KeyForget.self, KeyList.self, KeySheet.self,
        ])
}
