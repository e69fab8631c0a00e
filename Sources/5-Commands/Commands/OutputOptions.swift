import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

/// The options of all commands that print results.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(help: "Do not print progress or notes.")
    var quiet = false

    @Flag(help: "Print progress as separate lines, for screen readers.")
    var plain = false

    /// Every command has these options: here none of its arguments is empty.
    func validate() throws { try CallArguments.refuseEmpty() }

    /// How the terminal shows what operations say while they run.
    var display: WorkDisplay {
        WorkDisplay(progressStyle, words: { $0.withoutControls.lineText }, note: note, warn: warn) { [json] in
            try json ? StandardStreams.printLine($0) : StandardStreams.printText($0)
        }
    }

    private var progressStyle: ProgressLine.Style {
        if quiet { return .none }
        if plain { return .lines }
        guard StandardStreams.errorIsTerminal else { return .none }
        return TerminalStyle.ofErrors.redraws ? .redrawn : .lines
    }

    /// Prints a result: JSON, or lines for a user.
    func print(_ value: some Encodable, text: () -> String) throws {
        if json { return try StandardStreams.printLine(JSONText.encode(value, remedies: RemedyText.words)) }
        let lines = text()
        if !lines.isEmpty { try StandardStreams.printText(lines) }
    }

    /// Prints a result that has no `type` of its own.
    func print(_ value: some Encodable, type: String, text: () -> String) throws {
        try print(TypedDocument(type: type, value: value), text: text)
    }

    /// A note for the user that is no result.
    func note(_ text: String) {
        let line = text.withoutControls
        // A hint stands below what it helps with, as below a failure.
        if !quiet {
            line.hasPrefix(Hint.mark) ? StandardStreams.printError(line) : StandardStreams.complain(line)
        }
    }

    /// A warning of something that may be lost: `--quiet` does not silence it.
    func warn(_ text: String) { StandardStreams.complain("warning: \(text.withoutControls)") }
}
