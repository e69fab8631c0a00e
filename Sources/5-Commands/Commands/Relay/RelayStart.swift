public import ArgumentParser
public import Logging
import Valise

struct RelayStart: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Run a relay in the foreground.",
        discussion: """
            Prints the address when it listens, and logs to standard error. SIGTERM and SIGINT end it: transfers \
            that are going on get half a minute; a second signal ends it at once, which loses nothing that was \
            acknowledged. A manager of services is told by NOTIFY_SOCKET.
            """)

    @OptionGroup var relay: RelayFolderOptions

    @Option(help: ArgumentHelp("How lines of the log look: text or json.", valueName: "format"))
    var logFormat = LogFormat.text

    @Option(help: ArgumentHelp("What is logged: debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = Logger.Level.info

    @OptionGroup var output: OutputOptions

    func run() throws {
        let logger = Logger(label: "valise-relay") { [logFormat, logLevel] _ in
            StandardErrorLog(format: logFormat, logLevel: logLevel)
        }
        var operation = RunRelay(
            in: try relay.find(), logger: logger, version: RelayCommand.configuration.version)
        operation.serviceSocket = UserFolders.variable("NOTIFY_SOCKET")
        try output.perform { [output, operation] (context, work: AsynchronousWork<Void>) in
            var operation = operation
            operation.started = { relay in
                try await work.atTerminal { try output.print(relay) { "address: \(relay.address)" } }
            }
            try await operation.run(in: context)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
