import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the program is called, and what the environment of its user says of the terminal. Only the program knows it, and
/// says it once, at its start.
package struct TerminalSetup: Sendable {
    /// What command lines in texts begin with.
    let command: String
    /// What messages begin with.
    let speaker: String
    /// How standard error is written to.
    let style: TerminalStyle
    /// How results in words are written to standard output.
    package let resultStyle: TerminalStyle
    /// A variable of the environment; nil for an empty one too.
    let variable: @Sendable (String) -> String?

    /// - Parameters:
    ///   - command: what command lines in texts begin with.
    ///   - speaker: what messages begin with.
    ///   - variable: a variable of the environment; nil for an empty one too.
    package init(command: String, speaker: String, variable: @escaping @Sendable (String) -> String?) {
        self.command = command
        self.speaker = speaker
        self.variable = variable
        style = TerminalStyle(isTerminal: StandardStreams.errorIsTerminal, variable: variable)
        resultStyle = TerminalStyle(isTerminal: StandardStreams.outputIsTerminal, variable: variable)
    }

    /// The command line of the pager that results in words are shown by; nil where there is none to be, as in a pipe, on a
    /// terminal that cannot move back, or for a user who has chosen `cat`.
    var pagerCommand: String? {
        guard StandardStreams.outputIsTerminal, resultStyle.redraws else { return nil }
        if let chosen = variable("PAGER") { return chosen == "cat" ? nil : chosen }
        let folders = (variable("PATH") ?? "").split(separator: ":")
        return folders.contains { unsafe access("\($0)/less", X_OK) == 0 } ? "less" : nil
    }

    private static let chosen = Mutex<TerminalSetup?>(nil)

    /// What is known without the program: the name that it was called by.
    private static var unknown: TerminalSetup {
        let name = FilePath(CommandLine.arguments.first ?? "").lastComponent?.string ?? "program"
        return TerminalSetup(command: name, speaker: name) { _ in nil }
    }

    /// That of this process.
    package static var current: TerminalSetup { chosen.withLock { $0 } ?? unknown }

    /// Sets it for this process.
    package static func begin(_ setup: TerminalSetup) { chosen.withLock { $0 = setup } }
}
