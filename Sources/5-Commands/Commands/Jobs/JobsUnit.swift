import ArgumentParser
import Valise

struct JobsUnit: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "unit", abstract: "Print a systemd user unit that runs pending jobs.",
        discussion: """
            The unit runs 'valise jobs run --watch' while you are logged in, without root. Its first lines explain how \
            to install it. The command itself changes nothing.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    private static let unit = "valise-jobs.service"
    /// The commands that install it.
    private static let enabling = [
        "mkdir -p ~/.config/systemd/user",
        "valise jobs unit > ~/.config/systemd/user/\(unit)",
        "systemctl --user daemon-reload",
        "systemctl --user enable --now \(unit)",
    ]
    private static let introduction =
        ["Runs pending valise jobs: interrupted ones, and those waiting for a later time. To install:"]
        + enabling.map { "  \($0)" }
        + ["To keep it running while you are logged out: loginctl enable-linger"]

    func run() throws {
        // The variables that move the queue and the list of relays from their default locations.
        let environment = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].compactMap { name in
            UserFolders.variable(name).map { (name: name, value: $0) }
        }
        let statuses: [ExitStatus] = [.notFound, .damaged, .unsupported, .usage]
        let text = try output.run(
            DescribeJobsService(
                introduction: Self.introduction, manual: "valise-jobs(1)",
                arguments: ["jobs", "run", "--watch"],
                environment: environment, finalStatuses: statuses.map(\.rawValue))
        ).text
        try output.print(Result(name: Self.unit, unit: text, enable: Self.enabling)) { text }
    }

    private struct Result: Encodable {
        let type = "jobsUnit"
        let name: String
        let unit: String
        let enable: [String]
    }
}
