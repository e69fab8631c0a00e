import ArgumentParser
import Valise

/// The passphrase of an existing account: from an option, else from a key store, else from a prompt.
struct PassphraseOptions: ParsableArguments {
    @OptionGroup var source: PassphraseSourceOptions

    @Option(
        help: ArgumentHelp(
            "Use the passphrase stored in this key store only: \(KeyStoreChoice.list).", valueName: "store"))
    var keyStore: KeyStoreChoice?

    @Flag(help: "Do not use a stored passphrase.")
    var noKeyStore = false

    func validate() throws {
        guard keyStore == nil || !noKeyStore else {
            throw ValidationError("Use only one of --key-store and --no-key-store")
        }
    }

    /// Whether the user can be asked.
    var canAsk: Bool { source.canAsk }

    /// For operations.
    var choice: PassphraseSource {
        var choice = source.choice
        choice.usesKeyStores = !noKeyStore
        choice.keyStore = keyStore
        return choice
    }
}
