import ArgumentParser
import Valise
import ValiseTerminal

/// Where a passphrase is read from. It is never an argument: those are visible to other processes.
struct PassphraseSourceOptions: ParsableArguments {
    @Option(
        help: "Read the passphrase from this file; a final line break is ignored.", completion: .file())
    var passphraseFile: String?

    @Option(help: "Read the passphrase from the output of this sh command; a final line break is ignored.")
    var passphraseCommand: String?

    @Option(help: "Read the passphrase from this open file descriptor.")
    var passphraseFd: Int32?

    @OptionGroup var input: InputOptions

    func validate() throws {
        let sources = [passphraseFile != nil, passphraseCommand != nil, passphraseFd != nil].count { $0 }
        guard sources <= 1 else {
            throw ValidationError(
                "Use only one of --passphrase-file, --passphrase-command, --passphrase-fd")
        }
    }

    /// For operations.
    var choice: PassphraseSource {
        var choice = PassphraseSource(
            PassphraseSource.Given(file: passphraseFile, command: passphraseCommand, descriptor: passphraseFd)
        )
        choice.mayPrompt = !input.noInput
        return choice
    }

    /// Whether the user can be asked.
    var canAsk: Bool { input.canAsk }

    /// A new passphrase: from the options, else asked for twice.
    func new<Value>(allowWeak: Bool, _ work: AsynchronousWork<Value>) async throws -> SharedSecret {
        let passphrase = try await work.newPassphrase(
            choice, canAsk, allowWeak: allowWeak, otherwise: .passphraseMissing)
        guard !passphrase.bytes.isEmpty else {
            throw CommandError(
                .invalid, "the passphrase is empty",
                hints: [Hint("create an unencrypted account", options: "--no-encryption")])
        }
        return passphrase
    }
}

extension AsynchronousWork {
    /// A new passphrase: from the source, else asked for twice.
    ///
    /// - Parameters:
    ///   - words: what it is called and what it is for.
    ///   - otherwise: the error if the user cannot be asked.
    func newPassphrase(
        _ source: PassphraseSource, _ canAsk: Bool, allowWeak: Bool,
        for words: NewPassphraseDialog.Words = .account, otherwise: CommandError
    ) async throws -> SharedSecret {
        if let given = try await source.read() { return given }
        guard canAsk else { throw otherwise }
        return try await atTerminal {
            let dialog = NewPassphraseDialog(for: words) { (passphrase: borrowing SecretBytes) in
                try allowWeak ? false : OperationContext.isWeak(passphrase)
            }
            guard let passphrase = try dialog.ask() else {
                throw CommandError(
                    .invalid, "no usable new \(words.secret) was entered. Nothing was changed.",
                    hints: [Hint("use a weak one anyway", options: "--allow-weak")])
            }
            return SharedSecret(passphrase)
        }
    }
}
