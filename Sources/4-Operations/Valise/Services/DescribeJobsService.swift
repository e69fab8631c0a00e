import SystemPackage
import ValiseFiles

/// Describes a systemd user unit in which this program runs pending jobs. Nothing is installed.
package struct DescribeJobsService: Operation {
    /// Lines of comment at its beginning.
    package var introduction: [String]
    /// The manual page of the program, such as `name(1)`.
    package var manual: String
    /// With these arguments the program runs jobs until it is stopped.
    package var arguments: [String]
    /// The variables of the environment that it needs.
    package var environment: [(name: String, value: String)]
    /// The exit statuses after which restarting does not help.
    package var finalStatuses: [Int32]

    /// - Parameters:
    ///   - introduction: lines of comment at its beginning.
    ///   - manual: the manual page of the program.
    ///   - arguments: with which the program runs jobs.
    ///   - environment: the variables that it needs.
    ///   - finalStatuses: the exit statuses after which restarting does not help.
    package init(
        introduction: [String], manual: String, arguments: [String],
        environment: [(name: String, value: String)], finalStatuses: [Int32]
    ) {
        self.introduction = introduction
        self.manual = manual
        self.arguments = arguments
        self.environment = environment
        self.finalStatuses = finalStatuses
    }

    /// - Throws: `FileError` where the system does not tell the path of this program.
    package func run(in context: OperationContext) async throws -> JobsServiceUnit {
        let program = try await context.blocking { _ in try FileSystem().resolve("/proc/self/exe") }
        return JobsServiceUnit(text: text(program))
    }

    func text(_ program: FilePath) -> String {
        let command = ([program.string] + arguments).map { SystemdWord.quoted($0) }
        let head = introduction.map { "# \($0)" }
        let statuses = finalStatuses.map { "\($0)" }
        let variables = environment.map {
            "Environment=\(SystemdWord.quoted("\($0.name)=\($0.value)", isValue: true))\n"
        }
        return """
            \(head.joined(separator: "\n"))

            [Unit]
            Description=Valise jobs
            Documentation=man:\(manual)

            [Service]
            Type=exec
            ExecStart=\(command.joined(separator: " "))
            \(variables.joined())Restart=on-failure
            RestartSec=30
            # Damaged queue, queue of a newer version, or no place for a queue: restarting does not help.
            RestartPreventExitStatus=\(statuses.joined(separator: " "))
            # Running jobs stop at the next safe point.
            TimeoutStopSec=60
            KillMode=mixed
            Nice=10
            IOSchedulingClass=idle

            \(SystemdUnit.confinement)

            [Install]
            WantedBy=default.target
            """
    }
}

/// A systemd unit.
package struct JobsServiceUnit: Sendable {
    /// The content of its file.
    package let text: String
}
