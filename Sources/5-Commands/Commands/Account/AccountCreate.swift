import ArgumentParser
import SystemPackage
import Valise

struct AccountCreate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an account: both databases at the newest schema, and the media folders.",
        discussion: """
            The folder is made where it is missing; one that holds an account is refused. The databases are \
            encrypted with a passphrase that is asked for twice, or read from where an option says. \
            --store-key keeps it in a key store; --stored-key takes the one that 'valise key generate --for' \
            put there.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Keep the passphrase here: \(KeyStoreChoice.list).", valueName: "store"))
    var storeKey: KeyStoreChoice?

    @Flag(help: "Take the passphrase that is in a key store for this account.")
    var storedKey = false

    @Flag(help: "Do not encrypt the databases. Asks twice, or wants --yes.")
    var noEncryption = false

    @Flag(help: "Answer the questions of --no-encryption with yes.")
    var yes = false

    func validate() throws {
        guard !noEncryption || (storeKey == nil && !storedKey) else {
            throw ValidationError("--no-encryption leaves no passphrase to store or to take.")
        }
    }

    func run() throws {
        let location = try account.place()
        let store = try storeKey.map { try KeyStores.ofUser(noInput: passphrase.noInput).store($0) }
        // A store that cannot be used is told before anything is made.
        try store?.check()
        let key = try key(location)
        let recovery = try output.withProgress { progress in
            try AccountCreation().create(location, passphrase: key, progress: progress)
        }
        output.note(recovery)
        try keep(key, location, store)
        let result = Result(
            directory: location.directory.string, prefix: location.prefix, encrypted: !key.isEmpty)
        try output.print(result) {
            "created an \(key.isEmpty ? "unencrypted" : "encrypted") account in \(location.directory)"
        }
    }

    private func key(_ location: AccountLocation) throws -> SecretBytes {
        if noEncryption { return try withoutEncryption() }
        guard storedKey else { return try passphrase.new(output) }
        let search = try KeyStores.ofUser(noInput: passphrase.noInput).search(nil)
        guard let found = try search.lookup(try KeyOwner(location)) else {
            throw CommandError(
                .notFound,
                "no key store has a passphrase for this account; make one with 'valise key generate'",
                subject: location.directory.string)
        }
        return found.take()
    }

    private func keep(
        _ key: borrowing SecretBytes, _ location: AccountLocation, _ store: (any KeyStore)?
    ) throws {
        do {
            try store?.store(key, for: try KeyOwner(location))
        } catch let error as KeyStorageError {
            throw KeyStorageError(
                error.kind, error.code,
                "the account was created, but its passphrase is not stored: \(error.message)", error.subject)
        }
    }

    private func withoutEncryption() throws -> SecretBytes {
        if !yes {
            try Terminal.confirmNoEncryption(
                "--no-encryption", canAsk: passphrase.canAsk, otherwise: "nothing was created")
        }
        return try SecretBytes.empty()
    }

    private struct Result: Encodable {
        let type = "accountCreated"
        let directory: String
        let prefix: String
        let encrypted: Bool
    }
}
