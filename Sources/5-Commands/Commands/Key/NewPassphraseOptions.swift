import ArgumentParser
import Valise
import ValiseTerminal

/// Where the new passphrase comes from.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the new passphrase from this file; a final line break is ignored.",
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        help: "Read the new passphrase from the output of this sh command; a final line break is ignored.")
    var newPassphraseCommand: String?

    @Option(help: "Read the new passphrase from this open file descriptor.")
    var newPassphraseFd: Int32?

    @Flag(help: "Remove the encryption. Asks for the account folder's name unless --yes is given.")
    var decrypt = false

    @OptionGroup var consent: ConsentOptions

    @Flag(help: "Accept a new passphrase that is easy to guess.")
    var allowWeak = false

    private static let hints = [
        Hint("set it", options: "--new-passphrase-file", "--new-passphrase-command", "--new-passphrase-fd"),
        Hint("remove the encryption", options: "--decrypt"),
    ]

    /// How many ways to come by it are given.
    private var givenCount: Int {
        [newPassphraseFile != nil, newPassphraseCommand != nil, newPassphraseFd != nil, decrypt]
            .count(where: { $0 })
    }

    /// Without it, the user would be asked for it.
    var isGiven: Bool { givenCount > 0 }

    func validate() throws {
        guard givenCount <= 1 else {
            throw ValidationError(
                "Use only one of --new-passphrase-file, --new-passphrase-command, --new-passphrase-fd, "
                    + "--decrypt")
        }
    }

    /// The new passphrase, empty for no encryption; asked for twice without an option.
    func passphrase<Value>(_ canAsk: Bool, _ work: AsynchronousWork<Value>) async throws -> SharedSecret {
        if decrypt { return SharedSecret(try SecretBytes.empty()) }
        let source = PassphraseSource(
            PassphraseSource.Given(
                file: newPassphraseFile, command: newPassphraseCommand, descriptor: newPassphraseFd))
        let passphrase = try await work.newPassphrase(
            source, canAsk, allowWeak: allowWeak,
            otherwise: CommandError(.invalid, "a new passphrase is required", hints: Self.hints))
        guard !passphrase.bytes.isEmpty else {
            throw CommandError(
                .invalid, "the new passphrase is empty. Nothing was changed.", hints: Self.hints)
        }
        return passphrase
    }
}
