import ValiseFailures
package import ValiseSecrets

/// Asks at the terminal for a new passphrase: judged as soon as it is typed, typed twice, or generated.
package struct NewPassphraseDialog {
    private let isWeak: (borrowing SecretBytes) throws -> Bool

    private static let mostAttempts = 3

    /// - Parameter isWeak: whether another one is asked for.
    package init(isWeak: @escaping (borrowing SecretBytes) throws -> Bool) { self.isWeak = isWeak }

    /// - Returns: nil where no answer will do.
    /// - Throws: ``TerminalError`` with `invalid` where a generated one was not typed; `Interruption`; what `isWeak` throws.
    package func ask() throws -> SecretBytes? {
        let question = "New passphrase, to encrypt both databases (leave empty to generate one): "
        var prompt = question
        for _ in 1...Self.mostAttempts {
            let first = try Terminal.askSecret(prompt)
            if first.isEmpty { return try generate() }
            if try isWeak(first) {
                prompt = "Too easy to guess: add words that do not belong together.\n\(question)"
                continue
            }
            if first.equals(try Terminal.askSecret("Repeat new passphrase: ")) { return first }
            prompt = "The passphrases do not match. \(question)"
        }
        return nil
    }

    /// It is shown once, and typed again as a proof that the user has it.
    private func generate() throws -> SecretBytes {
        let passphrase = try SecretBytes.generatedPassphrase()
        // On a line of its own, to be copied without what is around it.
        try Terminal.show(
            "Your new passphrase is\n\n  ", passphrase,
            "\n\nSave it now, in a password manager or on paper.\nWithout it, the account cannot be opened.\n"
        )
        var prompt = "Enter it to continue: "
        for _ in 1...Self.mostAttempts {
            if passphrase.equals(try Terminal.askSecret(prompt)) { return passphrase }
            prompt = "That is not the passphrase shown above. Enter it to continue: "
        }
        throw TerminalError(.invalid, "the generated passphrase was not entered. Nothing was changed.")
    }
}
