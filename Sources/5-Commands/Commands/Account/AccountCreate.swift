import ArgumentParser
import Valise
import ValiseTerminal

struct AccountCreate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an account with new databases and media folders.",
        discussion: """
            Creates the folder if it is missing, and refuses one that already holds an account. Both databases have \
            the newest schema and are encrypted with a passphrase, which is asked for twice or read from an option. \
            --store-key saves it in a key store; --stored-key uses the one from 'valise key generate --for'.
            """)

    @OptionGroup var account: NamedAccountOptions
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Save the passphrase in this key store: \(KeyStoreChoice.list).", valueName: "store"))
    var storeKey: KeyStoreChoice?

    @Flag(help: "Use the passphrase stored for this account.")
    var storedKey = false

    @Flag(help: "Accept a passphrase that is easy to guess.")
    var allowWeak = false

    @Flag(help: "Do not encrypt the databases. Asks for confirmation unless --yes is given.")
    var noEncryption = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption

    func validate() throws {
        guard !noEncryption || (storeKey == nil && !storedKey) else {
            throw ValidationError("--no-encryption cannot be used with --store-key or --stored-key")
        }
        guard passphrase.choice.given == nil || !(noEncryption || storedKey) else {
            throw ValidationError(
                "Use only one of --passphrase-file, --passphrase-command, --passphrase-fd, --stored-key, "
                    + "--no-encryption")
        }
    }

    func run() throws {
        let location = try account.place()
        if dryRun.isAsked {
            let plan = try output.perform { [self] (context, work: AsynchronousWork<PlannedFiles>) in
                try await operation(location, work).plan(in: context)
            }
            return try output.show("accountCreation", files: plan)
        }
        let answers = Answers(passphrase, yes: consent.yes)
        let created = try output.perform(answers) {
            [self] (context, work: AsynchronousWork<CreatedAccount>) in
            try await operation(location, work).run(in: context)
        }
        try output.print(created) {
            "created an \(created.encrypted ? "encrypted" : "unencrypted") account in \(location.directory)"
        }
    }

    private func operation<Value>(
        _ location: AccountLocation, _ work: AsynchronousWork<Value>
    ) -> CreateAccount {
        var operation = CreateAccount(location) { try await key(work) }
        operation.hasPassphrase = passphrase.choice.given != nil && !noEncryption
        operation.takesStored = storedKey
        operation.keyStore = storeKey
        operation.allowsWeak = allowWeak
        operation.mayPrompt = !passphrase.input.noInput
        return operation
    }

    private func key<Value>(_ work: AsynchronousWork<Value>) async throws -> SharedSecret {
        noEncryption
            ? SharedSecret(try SecretBytes.empty()) : try await passphrase.new(allowWeak: allowWeak, work)
    }
}
