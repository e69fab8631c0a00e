import ArgumentParser
import Valise
import ValiseEncoding

/// What is wrong with the arguments of a command line.
enum UsageFailure {
    /// Ends the process with the message of the parser, as every failure is shown. Help and version are no failures.
    static func exit(_ error: any Error, _ root: any ParsableCommand.Type, _ arguments: [String]) -> Never {
        guard root.exitCode(for: error) == .validationFailure else { finish(error, root) }
        var lines = root.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        var message = lines.removeFirst().trimmingPrefix("Error: ")
        if let unknown = unknownCommand(arguments, root) { message = unknown[...] }
        let text = message.prefix(1).lowercased() + message.dropFirst()
        if arguments.contains("--json") {
            try? StandardStreams.printLine(FailureJSON(CommandError(.invalid, text), .usage).text)
        }
        StandardStreams.complain(text)
        for line in lines { StandardStreams.printError(String(line)) }
        StandardStreams.flushAndExit(.usage)
    }

    /// Help on a terminal breaks as all text there: the parser would leave the synopsis whole, and cut words where columns
    /// are narrow.
    private static func finish(_ error: any Error, _ root: any ParsableCommand.Type) -> Never {
        if let width = StandardStreams.width(of: .standardOutput), root.exitCode(for: error) == .success {
            let text = root.fullMessage(for: error, columns: unlimited)
            if text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") {
                try? StandardStreams.printLine(TerminalText.wrapped(text, to: width))
                StandardStreams.flushAndExit(.done)
            }
        }
        root.exit(withError: error)
    }

    private static let unlimited = 100_000

    /// Nil where each command exists.
    private static func unknownCommand(_ arguments: [String], _ root: any ParsableCommand.Type) -> String? {
        var group = root
        for word in arguments where !group.configuration.subcommands.isEmpty {
            if word.hasPrefix("-") || word == "help" { break }
            let names = group.configuration.subcommands.compactMap { $0.configuration.commandName }
            guard let place = names.firstIndex(of: word) else {
                let near = names.min { EditDistance.between($0, word) < EditDistance.between($1, word) } ?? ""
                let isFar = EditDistance.between(near, word) > 2
                return "unknown command '\(word)'" + (isFar ? "" : ". Did you mean '\(near)'?")
            }
            group = group.configuration.subcommands[place]
        }
        return nil
    }
}
