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

    /// The passphrase from where the options say; nil when they say nothing.
    func given() throws -> SecretBytes? { try source.given() }

    /// Whether somebody can be asked.
    var canAsk: Bool { source.canAsk }

    /// The passphrase of an account that exists.
    func existing(for location: AccountLocation) throws -> SecretBytes {
        if let given = try source.given() { return given }
        if let stored = try stored(for: location) { return stored }
        return try source.ask(for: location.directory.string)
    }

    /// The stored passphrase; nil when there is none.
    /// - Throws: `KeyStorageError` when a store fails: then nobody is asked for another one.
    func stored(for location: AccountLocation) throws -> SecretBytes? {
        guard !noKeyStore else { return nil }
        guard
            let found = try KeyStores.ofUser(noInput: source.noInput).search(keyStore).lookup(
                KeyOwner(location))
        else { return nil }
        StoredKeyUse.note(found.store)
        return found.take()
    }

    /// For operations.
    var choice: PassphraseSource {
        var choice = source.choice
        choice.usesKeyStores = !noKeyStore
        choice.keyStore = keyStore
        return choice
    }
}

extension KeyStores {
    /// Those of the user who runs this program.
    static func ofUser(noInput: Bool) -> KeyStores {
        KeyStores(.ofUser, mayPrompt: !noInput)
    }
}
