import ArgumentParser
import Failures
import Secrets

/// Where the passphrase comes from. It is never an argument: those are visible to other processes.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: "Read the passphrase from this file, without the line break at its end.", completion: .file())
    var passphraseFile: String?

    @Option(help: "Run this command with sh; the passphrase is what it prints, without the last line break.")
    var passphraseCommand: String?

    @Option(help: "Read the passphrase from this open file descriptor.")
    var passphraseFd: Int32?

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    func validate() throws {
        let sources = [passphraseFile != nil, passphraseCommand != nil, passphraseFd != nil].count { $0 }
        guard sources <= 1 else {
            throw ValidationError(
                "Give only one of --passphrase-file, --passphrase-command, --passphrase-fd.")
        }
    }

    /// The passphrase from where the options say; nil when they say nothing.
    func given() throws -> SecretBytes? {
        if let passphraseFile { return try PassphraseSource.file(passphraseFile) }
        if let passphraseCommand { return try PassphraseSource.command(passphraseCommand) }
        if let passphraseFd { return try PassphraseSource.descriptor(passphraseFd) }
        return nil
    }

    /// Whether somebody can be asked.
    var canAsk: Bool { !noInput && Terminal.isThere }

    /// The passphrase of something that exists: from the options, else asked for.
    func existing(for name: String) throws -> SecretBytes {
        if let given = try given() { return given }
        guard canAsk else { throw Self.missing }
        return try Terminal.askSecret("Passphrase of \(name): ")
    }

    /// A new passphrase: from the options, else asked for twice.
    func new(_ output: OutputOptions) throws -> SecretBytes {
        let passphrase = try given() ?? askTwice()
        guard !passphrase.isEmpty else {
            throw CommandError(.invalid, "the passphrase is empty; to have no encryption use --no-encryption")
        }
        if passphrase.looksLikeRawKey() {
            output.note(
                "warning: this passphrase has the form x'…' of a raw key; SQLCipher uses its digits as the key "
                    + "itself and derives nothing from it")
        }
        return passphrase
    }

    private func askTwice() throws -> SecretBytes {
        guard canAsk else { throw Self.missing }
        let first = try Terminal.askSecret("New passphrase: ")
        let second = try Terminal.askSecret("The same again: ")
        guard first.equals(second) else {
            throw CommandError(.invalid, "the two passphrases differ; nothing was changed")
        }
        return first
    }

    private static let missing = CommandError(
        .invalid,
        "a passphrase is needed and nobody can be asked; give --passphrase-file, --passphrase-command or "
            + "--passphrase-fd")
}
