import ArgumentParser
import Valise

struct KeyStoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Put the passphrase of an account into a key store, from where commands take it.",
        discussion: """
            It first has to open both databases. The stores: secret-service, the keyring of the desktop \
            (the default); kernel, in the kernel's memory until the machine restarts at the latest; file, \
            in a private folder, not encrypted. An account that was moved has to be stored again.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("Where to: \(KeyStoreChoice.list).", valueName: "store"))
    var store: KeyStoreChoice = .usual

    @Flag(help: "Do not check that the passphrase opens the databases.")
    var noCheck = false

    @Flag(help: "Check the passphrase and the store, and store nothing.")
    var dryRun = false

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.find()
        let store = try KeyStores.ofUser(noInput: passphrase.noInput).store(self.store)
        try store.check()
        let key = try passphrase.existing(for: location.directory.string)
        guard !key.isEmpty else {
            throw CommandError(.invalid, "the passphrase is empty; there is nothing to store")
        }
        if !noCheck { try PassphraseCheck.require(key, location) }
        let owner = try KeyOwner(location)
        if !dryRun {
            try store.store(key, for: owner)
            warnOfOthers(key, owner)
        }
        let result = Result(account: owner.name, store: store.name, checked: !noCheck, dryRun: dryRun)
        try output.print(result) {
            dryRun
                ? "would store the passphrase of \(owner.name) in the key store '\(store.name)'"
                : "stored the passphrase of \(owner.name) in the key store '\(store.name)'"
        }
    }

    /// Another store that is asked earlier may have another passphrase.
    private func warnOfOthers(_ key: borrowing SecretBytes, _ owner: KeyOwner) {
        // What another store has to say of itself is no failure of this one.
        guard let found = try? KeyStores.ofUser(noInput: true).search(nil).lookup(owner),
            !found.passphrase.equals(key)
        else { return }
        output.note(
            "warning: the key store '\(found.store)' has another passphrase for this account and is asked "
                + "first; remove it with 'valise key forget --store \(found.store)'")
    }

    private struct Result: Encodable {
        let type = "keyStored"
        let account: String
        let store: String
        let checked: Bool
        let dryRun: Bool
    }
}
