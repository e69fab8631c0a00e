import ValiseFailures
package import ValiseSecrets

/// Asks at the terminal for a new passphrase: judged as soon as it is typed, typed twice, or generated.
package struct NewPassphraseDialog {
    /// What is asked for, and what it is for.
    package struct Words: Sendable {
        /// What it is called.
        package let secret: String
        /// What it does.
        let purpose: String
        /// What cannot be done without it.
        let loss: String

        /// The passphrase of an account.
        package static let account = Words(
            secret: "passphrase", purpose: "to encrypt both databases",
            loss: "Without it, the account cannot be opened.")
        /// The password of a repository of backups.
        package static let repository = Words(
            secret: "password", purpose: "for the repository",
            loss: "Without a password, everything in the repository is lost.")
    }

    private let words: Words
    private let isWeak: (borrowing SecretBytes) throws -> Bool

    private static let mostAttempts = 3

    /// - Parameters:
    ///   - words: what is asked for.
    ///   - isWeak: whether another one is asked for.
    package init(
        for words: Words = .account, isWeak: @escaping (borrowing SecretBytes) throws -> Bool
    ) {
        self.words = words
        self.isWeak = isWeak
    }

    /// - Returns: nil where no answer will do.
    /// - Throws: ``TerminalError`` with `invalid` where a generated one was not typed; `Interruption`; what `isWeak` throws.
    package func ask() throws -> SecretBytes? {
        let question =
            "New \(words.secret), \(words.purpose) (leave empty to generate one): "
        var prompt = question
        for _ in 1...Self.mostAttempts {
            let first = try Terminal.askSecret(prompt)
            if first.isEmpty { return try generate() }
            if try isWeak(first) {
                prompt = "Too easy to guess: add words that do not belong together.\n\(question)"
                continue
            }
            if first.equals(try Terminal.askSecret("Repeat new \(words.secret): ")) { return first }
            prompt = "The \(words.secret)s do not match. \(question)"
        }
        return nil
    }

    /// It is shown once, and typed again as a proof that the user has it.
    private func generate() throws -> SecretBytes {
        let passphrase = try SecretBytes.generatedPassphrase()
        // On a line of its own, to be copied without what is around it.
        try Terminal.show(
            "Your new \(words.secret) is\n\n  ", passphrase,
            "\n\nSave it now, in a password manager or on paper.\n\(words.loss)\n"
        )
        var prompt = "Enter it to continue: "
        for _ in 1...Self.mostAttempts {
            if passphrase.equals(try Terminal.askSecret(prompt)) { return passphrase }
            prompt = "That is not the \(words.secret) shown above. Enter it to continue: "
        }
        throw TerminalError(.invalid, "the generated \(words.secret) was not entered. Nothing was changed.")
    }
}
