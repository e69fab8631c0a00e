import ArgumentParser
import Valise

struct SessionCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a store for damage.",
        discussion: """
            Changes nothing. Verifies all frames of a backup and the HMAC of every page, walks all tables and indexes, reads \
            every message, decrypts every attachment, and decodes the configurations. --quick skips the walk and does not \
            decrypt. The exit status is 13 for a damaged database or backup, 12 for a wrong password or key, and 3 if only \
            attachments are missing or damaged, or single rows cannot be read.
            """)

    @OptionGroup var store: SessionStoreArgument

    @Flag(help: "Skip the walk through tables and indexes, and do not decrypt attachments.")
    var quick = false

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.checkSession(store.path, isQuick: quick, passphrase.choice, Answers(passphrase))
    }
}
