public import ArgumentParser
import CValisePlatform
public import Logging
import NIOCore
import NIOPosix
import Valise
import ValiseRelay

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
        let folder = try relay.find()
        let logger = Logger(label: "valise-relay") { [logFormat, logLevel] _ in
            StandardErrorLog(format: logFormat, logLevel: logLevel)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: Int(valise_core_count()))
        defer { try? group.syncShutdownGracefully() }
        let version = RelayCommand.configuration.version
        let descriptors = RelayDescriptors.raise()
        let running = try AsynchronousWork.run(output) { _ in
            try await FolderRelay.start(
                folder, group: group, logger: logger, version: version,
                descriptors: descriptors)
        }
        defer { AsynchronousWork.finish { await running.stop() } }
        try output.print(Result(address: running.address.text, port: Int(running.server.port))) {
            "address: \(running.address.text)"
        }
        notify("READY=1")
        while !valise_interrupted(), !running.wasAskedToStop { usleep(100_000) }
        notify("STOPPING=1")
    }

    private func notify(_ state: String) {
        if let socket = getenv("NOTIFY_SOCKET") {
            ServiceManager.notify(state, socket: String(cString: socket))
        }
    }

    private struct Result: Encodable {
        let type = "relayStarted"
        let address: String
        let port: Int
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
