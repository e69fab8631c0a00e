import ArgumentParser
import Valise

extension Answers {
    /// Of a command on a repository.
    init(_ repository: RepositoryOptions, yes: Bool = false) {
        self.init(
            canAsk: repository.canAsk, isUnaskable: repository.password.input.noInput, isYes: yes)
    }
}

/// The passphrase of an account in a repository, where it is needed. Whether the user may be asked is an option of the repository.
struct SealedPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the account's passphrase from this file, for sealed databases; a final line break is ignored.",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the account's passphrase from the output of this sh command.", valueName: "command"))
    var passphraseCommand: String?

    @Option(
        help: ArgumentHelp("Read the account's passphrase from this open file descriptor.", valueName: "fd"))
    var passphraseFd: Int32?

    @Option(
        help: ArgumentHelp(
            "Use the passphrase stored in this key store only: \(KeyStoreChoice.list).", valueName: "store"))
    var keyStore: KeyStoreChoice?

    @Flag(help: "Do not use a stored passphrase.")
    var noKeyStore = false

    func validate() throws {
        guard
            [passphraseFile != nil, passphraseCommand != nil, passphraseFd != nil].count(where: { $0 }) <= 1
        else {
            throw ValidationError("Use only one of --passphrase-file, --passphrase-command, --passphrase-fd")
        }
        guard keyStore == nil || !noKeyStore else {
            throw ValidationError("Use only one of --key-store and --no-key-store")
        }
    }

    /// For operations.
    func source(mayPrompt: Bool) -> PassphraseSource {
        var source = PassphraseSource(
            PassphraseSource.Given(file: passphraseFile, command: passphraseCommand, descriptor: passphraseFd)
        )
        source.usesKeyStores = !noKeyStore
        source.keyStore = keyStore
        source.mayPrompt = mayPrompt
        return source
    }
}
