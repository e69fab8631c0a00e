import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Change, check, make, keep and print the passphrase of an account.",
        subcommands: [
            KeyChange.self, KeyVerify.self, KeyInfo.self, KeyUpgrade.self, KeyGenerate.self,
            KeyStoreCommand.self, KeyForget.self, KeyList.self, KeySheet.self,
        ])
}
