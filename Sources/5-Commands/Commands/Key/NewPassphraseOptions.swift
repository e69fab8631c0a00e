import ArgumentParser
import Valise

/// Where a passphrase comes from that shall take the place of another one.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the new passphrase from this file, without the line break at its end.",
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        help: "Run this command with sh; the new passphrase is what it prints, without the last line break.")
    var newPassphraseCommand: String?

    @Option(help: "Read the new passphrase from this open file descriptor.")
    var newPassphraseFd: Int32?

    @Flag(help: "Remove the encryption. Asks twice, or wants --yes.")
    var decrypt = false

    @Flag(help: "Answer the questions of --decrypt with yes.")
    var yes = false

    func validate() throws {
        let sources = [
            newPassphraseFile != nil, newPassphraseCommand != nil, newPassphraseFd != nil, decrypt,
        ]
        guard sources.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Give only one of --new-passphrase-file, --new-passphrase-command, --new-passphrase-fd, "
                    + "--decrypt.")
        }
    }

    /// The new passphrase, empty for no encryption; asked for twice where no option says it.
    func passphrase<Value>(
        canAsk: Bool, _ work: AsynchronousWork<Value>
    ) async throws -> SharedSecret {
        if decrypt {
            return try await work.atTerminal { SharedSecret(try withoutEncryption(canAsk: canAsk)) }
        }
        let source = PassphraseSource(
            PassphraseSource.Given(
                file: newPassphraseFile, command: newPassphraseCommand, descriptor: newPassphraseFd))
        let passphrase = try await work.newPassphrase(
            source, canAsk,
            otherwise: CommandError(
                .invalid,
                "a new passphrase is needed and nobody can be asked; give --new-passphrase-file, "
                    + "--new-passphrase-command, --new-passphrase-fd or --decrypt"))
        guard !passphrase.bytes.isEmpty else {
            throw CommandError(
                .invalid,
                "the new passphrase is empty; to have no encryption use --decrypt; nothing was changed")
        }
        return passphrase
    }

    private func withoutEncryption(canAsk: Bool) throws -> SecretBytes {
        if !yes {
            try Terminal.confirmNoEncryption("--decrypt", canAsk: canAsk, otherwise: "nothing was changed")
        }
        return try SecretBytes.empty()
    }
}
