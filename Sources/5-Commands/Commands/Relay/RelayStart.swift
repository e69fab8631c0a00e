public import ArgumentParser
public import Logging
import Valise
import ValiseTerminal

struct RelayStart: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Run a relay in the foreground.",
        discussion: """
            Prints the address once it is listening, and logs to standard error. On SIGTERM or SIGINT, running \
            transfers get half a minute to finish, or as long as the settings allow. A second signal stops the \
            relay at once, without losing acknowledged data. Without a terminal, SIGHUP reloads the certificates. \
            Supports readiness notification for systemd (NOTIFY_SOCKET).
            """)

    @OptionGroup var relay: RelayFolderOptions

    @Option(help: ArgumentHelp("The log format: text or json.", valueName: "format"))
    var logFormat = LogFormat.text

    @Option(help: ArgumentHelp("The log level: debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = Logger.Level.info

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let logger = Logger(label: "valise-relay") { [logFormat, logLevel] _ in
            StandardErrorLog(isJSON: logFormat == .json, logLevel: logLevel)
        }
        var operation = RunRelay(
            in: try relay.find(), logger: logger, version: RelayCommand.configuration.version)
        operation.serviceSocket = UserFolders.variable("NOTIFY_SOCKET")
        operation.reloads = HangupRequests.stream()
        try output.perform { [output, operation] (context, work: AsynchronousWork<Void>) in
            var operation = operation
            operation.started = { relay in
                try await work.atTerminal { try output.print(relay) { "address: \(relay.address)" } }
            }
            try await operation.run(in: context)
        }
    }
}

/// The format of log lines.
enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people and for the journal.
    case text
    /// One object per line.
    case json
}

extension Logger.Level: @retroactive ExpressibleByArgument {
    /// Those that a relay logs with.
    public static var allValueStrings: [String] { ["debug", "info", "notice", "warning", "error"] }
}
