import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Change, check and look at the passphrase of an account.",
        subcommands: [KeyChange.self, KeyVerify.self, KeyInfo.self, KeyUpgrade.self])
}
