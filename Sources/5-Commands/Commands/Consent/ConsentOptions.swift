import ArgumentParser
import ValiseTerminal

/// Whether a command may prompt.
struct InputOptions: ParsableArguments {
    @Flag(help: "Never prompt; fail if input is needed.")
    var noInput = false

    /// Whether the user can be asked.
    var canAsk: Bool { !noInput && Terminal.isThere }
}

/// The option of every command that asks for consent.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
}

/// The option of every command that changes something.
struct DryRunOption: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Show what would be done; change nothing.")
    var isAsked = false

    func validate() { TerminalError.note(changes: !isAsked) }
}
