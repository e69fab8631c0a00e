import ArgumentParser
import Valise

struct BackupPing: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping", abstract: "Report to a monitoring service.",
        discussion: """
            Requests the address of a check at a service such as healthchecks.io: URL for success, URL/start or \
            URL/fail. The units of 'valise backup schedule' use it. A service that cannot be reached is noted; the \
            exit status is 0 all the same, so that it fails nothing else.
            """)

    @Argument(help: "The address of the check.")
    var url: String

    @Flag(help: "Report that work begins.")
    var start = false

    @Flag(help: "Report a failure.")
    var fail = false

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !start || !fail else { throw ValidationError("Use only one of --start and --fail") }
    }

    func run() throws {
        let event: MonitorAddress.Event = start ? .start : fail ? .failure : .success
        try output.run(PingMonitor(try MonitorAddress(url), event))
        try output.print(Result(event: event.rawValue)) { "" }
    }

    private struct Result: Encodable {
        let type = "backupPing"
        let event: String
    }
}
