import ArgumentParser
import Valise

/// The passphrase of an account that exists: from an option, else from a key store, else asked for.
struct PassphraseOptions: ParsableArguments {
    @OptionGroup var source: PassphraseSourceOptions

    @Option(
        help: ArgumentHelp(
            "Look for the stored passphrase only here: \(KeyStoreChoice.list).", valueName: "store"))
    var keyStore: KeyStoreChoice?

    @Flag(help: "Do not use a stored passphrase.")
    var noKeyStore = false

    func validate() throws {
        guard keyStore == nil || !noKeyStore else {
            throw ValidationError("Give only one of --key-store and --no-key-store.")
        }
    }

    /// Whether somebody can be asked.
    var canAsk: Bool { source.canAsk }

    /// For operations.
    var choice: PassphraseSource {
        var choice = source.choice
        choice.usesKeyStores = !noKeyStore
        choice.keyStore = keyStore
        return choice
    }
}
