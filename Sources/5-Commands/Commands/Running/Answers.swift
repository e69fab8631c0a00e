import Valise

/// Answers that the command line gives, before the user is asked.
struct Answers: Sendable {
    /// Whether the user can be asked.
    var canAsk = false
    /// Whether an operation does without a passphrase as far as possible, if the user cannot be asked.
    var doesWithoutPassphrase = false
    /// Whether `--no-input` was given.
    var isUnaskable = false
    /// Whether `--yes` was given.
    var isYes = false
    /// The account that is changed, where consent is asked for by its name.
    var account: AccountLocation?
    /// Whether a job of another command is resumed.
    var isResuming = false
    /// Whether the user may be asked about relays that are not in the list.
    var asksAboutRelays = true
    /// Whether this process is the relay of a move.
    var isServed = false
    /// Of a passphrase that is not called by what it opens; nil for others.
    var passphrasePrompt: String?

    var consent: Consent { Consent(canAsk: canAsk, isGiven: isYes, isUnaskable: isUnaskable) }
}

extension Answers {
    /// Of a command that asks for consent alone.
    init(_ input: InputOptions, _ consent: ConsentOptions) {
        self.init(canAsk: input.canAsk, isUnaskable: input.noInput, isYes: consent.yes)
    }

    init(_ passphrase: PassphraseOptions, yes: Bool = false) {
        self.init(canAsk: passphrase.canAsk, isYes: yes)
        asksAboutRelays = !passphrase.source.input.noInput
    }

    init(_ passphrase: PassphraseSourceOptions, yes: Bool = false) {
        self.init(canAsk: passphrase.canAsk, isYes: yes)
    }
}

extension CommandError {
    static let passphraseMissing = CommandError(
        .invalid, "a passphrase is required",
        hints: [Hint("provide it", options: "--passphrase-file", "--passphrase-command", "--passphrase-fd")])

    static let passwordMissing = CommandError(
        .invalid, "the password of the repository is required",
        hints: [Hint("provide it", options: "--password-file", "--password-command", "--password-fd")])
}
