import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage account passphrases.",
        subcommands: [
            KeyChange.self, KeyVerify.self, KeyInfo.self, KeyUpgrade.self, KeyGenerate.self,
            KeyStoreCommand.self, KeyForget.self, KeyList.self, KeySheet.self,
        ])
}
