import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

/// What is wrong with the arguments of a command line.
enum UsageFailure {
    /// Ends the process with the message of the parser, as every failure is shown. Help and version are no failures.
    static func exit(_ error: any Error, _ root: any ParsableCommand.Type, _ arguments: [String]) -> Never {
        guard root.exitCode(for: error) == .validationFailure else { finish(error, root) }
        var lines = root.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        var message = lines.removeFirst().trimmingPrefix("Error: ")
        if let unknown = unknownCommand(arguments, root) { message = unknown[...] }
        let text = offered(message.prefix(1).lowercased() + message.dropFirst())
        if arguments.contains("--json") {
            try? StandardStreams.printLine(FailureJSON(CommandError(.invalid, text), .usage).text)
        }
        StandardStreams.complain(text)
        for line in lines { StandardStreams.printError(String(line)) }
        ExitStatus.usage.endProcess()
    }

    /// Help on a terminal breaks as all text there: the parser would leave the synopsis whole, and cut words where columns
    /// are narrow.
    private static func finish(_ error: any Error, _ root: any ParsableCommand.Type) -> Never {
        if let width = StandardStreams.width(of: .standardOutput), root.exitCode(for: error) == .success {
            let text = root.fullMessage(for: error, columns: unlimited)
            if text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") {
                try? StandardStreams.printLine(TerminalText.wrapped(text, to: width))
                ExitStatus.done.endProcess()
            }
        }
        root.exit(withError: error)
    }

    private static let unlimited = 100_000

    /// With the options that are there to be typed.
    private static func offered(_ message: String) -> String {
        message.replacing("--wait-at-most", with: "--wait")
            .replacing(#/(passphrase'\. Did you mean '--[a-z-]*passphrase)-[a-z]+'\?/#) {
                "\($0.1)-file'? Arguments are visible to other users."
            }
    }

    /// What other programs call it; names of groups of `valise` come before their commands'.
    private static let synonyms = [
        "backup": "archive export", "archive create": "archive export", "restore": "archive import",
        "archive restore": "archive import", "rotate": "key change", "passwd": "key change",
        "init": "account create", "list": "account find", "account list": "account find",
        "jobs clear": "jobs cancel", "version": "--version", "completion": "--generate-completion-script",
    ]

    /// Nil where each command exists.
    private static func unknownCommand(_ arguments: [String], _ root: any ParsableCommand.Type) -> String? {
        var (group, path) = (root, "")
        for word in arguments where !group.configuration.subcommands.isEmpty {
            if word.hasPrefix("-") || word == "help" { break }
            path += path.isEmpty ? word : " \(word)"
            guard let place = names(group).firstIndex(of: word) else {
                let near = names(group).filter { EditDistance.between($0, word) <= 2 }
                    .min { EditDistance.between($0, word) < EditDistance.between($1, word) }
                let others = elsewhere(word, path, root)
                let found = others.isEmpty ? near.map { [$0] } ?? [] : others
                let question = ". Did you mean '\(found.joined(separator: "' or '"))'?"
                return "unknown command '\(word)'" + (found.isEmpty ? "" : question)
            }
            group = group.configuration.subcommands[place]
        }
        return nil
    }

    private static func names(_ group: any ParsableCommand.Type) -> [String] {
        group.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// Command lines with what is meant, or with a command of this name in other groups.
    private static func elsewhere(
        _ word: String, _ path: String, _ root: any ParsableCommand.Type
    ) -> [String] {
        let program = root.configuration.commandName ?? ""
        if root == ValiseCommand.self, let meant = synonyms[path] { return ["\(program) \(meant)"] }
        let groups = root.configuration.subcommands.filter { names($0).contains(word) }
        return groups.compactMap { $0.configuration.commandName }.map { "\(program) \($0) \(word)" }
    }
}
