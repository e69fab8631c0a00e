import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

/// What is wrong with the arguments of a command line.
enum UsageFailure {
    /// Ends the process with the message of the parser, as every failure is shown. Help and version are no failures.
    static func exit(_ error: any Error, _ root: any ParsableCommand.Type, _ arguments: [String]) -> Never {
        let words = Array(arguments.dropFirst())
        if arguments.first == "help", tree(root).unknown(words, synonyms) != nil {
            // The parser would print the help of the group.
            do { _ = try root.parseAsRoot(words) } catch { exit(error, root, words) }
        }
        guard root.exitCode(for: error) == .validationFailure else { finish(error, root) }
        var lines = root.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        var message = lines.removeFirst().trimmingPrefix("Error: ")
        if let unknown = tree(root).unknown(arguments, synonyms) { message = unknown[...] }
        if message == "unknown command 'relay'", root == ValiseCommand.self {
            message.append(contentsOf: ". Relays are run by 'valise-relay'.")
        }
        let text = offered(message.prefix(1).lowercased() + message.dropFirst(), root, arguments)
        if arguments.contains("--json") {
            try? StandardStreams.printLine(FailureJSON(CommandError(.invalid, text), .usage).text)
        }
        StandardStreams.complain(text)
        for line in lines { StandardStreams.printError(WaitChoice.option.shown(in: String(line))) }
        ExitStatus.usage.endProcess()
    }

    /// Help on a terminal breaks as all text there: the parser would leave the synopsis whole, and cut words where columns
    /// are narrow.
    private static func finish(_ error: any Error, _ root: any ParsableCommand.Type) -> Never {
        if root.exitCode(for: error) == .success {
            let isWrapped = StandardStreams.width(of: .standardOutput) != nil
            let text = root.fullMessage(for: error, columns: isWrapped ? unlimited : nil)
            if text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") {
                try? StandardStreams.printText(WaitChoice.option.shown(in: text))
                ExitStatus.done.endProcess()
            }
        }
        root.exit(withError: error)
    }

    private static let unlimited = 100_000

    /// With the options that are there to be typed.
    private static func offered(
        _ message: String, _ root: any ParsableCommand.Type, _ arguments: [String]
    ) -> String {
        var command = root
        for word in arguments {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
            if let next { command = next } else { break }
        }
        return OptionNames(help: root.helpMessage(for: command, columns: unlimited))
            .worded(WaitChoice.option.explained(message, arguments), optionSynonyms)
            .replacing(#/(passphrase'\. Did you mean '--[a-z-]*passphrase)-[a-z]+'\?/#) {
                "\($0.1)-file'? Arguments are visible to other users."
            }
            .replacing(#/ <store>'$/#) { "\($0.output). Use \(KeyStoreChoice.list)." }
    }

    private static let optionSynonyms = [
        "-p": "--passphrase-file", "--password": "--passphrase-file", "--password-file": "--passphrase-file",
        "-n": "--dry-run", "--password-command": "--passphrase-command",
    ]

    /// What other programs call it.
    private static let synonyms = [
        "backup": "archive export", "archive create": "archive export", "account export": "archive export",
        "account import": "archive import", "restore": "archive import",
        "archive restore": "archive import", "rotate": "key change", "passwd": "key change",
        "init": "account create", "list": "account find", "account list": "account find",
        "jobs clear": "jobs cancel", "version": "--version", "completion": "--generate-completion-script",
    ]

    static func tree(_ command: any ParsableCommand.Type) -> CommandTree {
        let configuration = command.configuration
        return CommandTree(configuration.commandName ?? "", configuration.subcommands.map(tree))
    }
}
