import ArgumentParser
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
        let created = try output.perform { [self] (context, work: AsynchronousWork<CreatedAccount>) in
            var operation = CreateAccount(location) { try await key(work) }
            operation.takesStored = storedKey
            operation.keyStore = storeKey
            operation.mayPrompt = !passphrase.noInput
            return try await operation.run(in: context)
        }
        try output.print(created) {
            "created an \(created.encrypted ? "encrypted" : "unencrypted") account in \(location.directory)"
        }
    }

    private func key<Value>(_ work: AsynchronousWork<Value>) async throws -> SharedSecret {
        guard noEncryption else { return try await passphrase.new(work) }
        return try await work.atTerminal {
            if !yes {
                try Terminal.confirmNoEncryption(
                    "--no-encryption", canAsk: passphrase.canAsk, otherwise: "nothing was created")
            }
            return SharedSecret(try SecretBytes.empty())
        }
    }
}
