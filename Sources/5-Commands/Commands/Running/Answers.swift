import Valise

/// What the command line says about questions of operations, before anybody is asked.
struct Answers: Sendable {
    /// Whether somebody can be asked.
    var canAsk = false
    /// Whether what needs a passphrase goes as far as it can without, where nobody can be asked.
    var doesWithoutPassphrase = false
    /// Whether `--yes` was given.
    var isYes = false
    /// Whether a job is resumed that another command had begun.
    var isResuming = false
    /// Whether relays that are not in the list may be asked about.
    var asksAboutRelays = true
    /// Whether this process is the relay of a move.
    var isServed = false

    init() {}

    init(_ passphrase: PassphraseOptions, yes: Bool = false) {
        canAsk = passphrase.canAsk
        isYes = yes
        asksAboutRelays = !passphrase.source.noInput
    }

    init(_ passphrase: PassphraseSourceOptions, yes: Bool = false) {
        canAsk = passphrase.canAsk
        isYes = yes
    }
}

extension CommandError {
    static let passphraseMissing = CommandError(
        .invalid,
        "a passphrase is needed and nobody can be asked; give --passphrase-file, --passphrase-command or "
            + "--passphrase-fd")
}
