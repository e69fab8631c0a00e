import Valise

/// The user at the terminal, who types without seeing it.
struct TerminalKeySource: KeySource {
    let prompt: String

    func read() throws -> SecretBytes { try Terminal.askSecret(prompt) }
}
