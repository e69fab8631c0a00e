import ArgumentParser
import Valise

struct JobsUnit: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "unit", abstract: "Print a systemd user unit that runs pending jobs.",
        discussion: """
            The unit runs 'valise jobs run --watch' while you are logged in, without root. Its first lines explain how \
            to install it. The command itself changes nothing.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let program = try FileSystem().resolve(FilePath("/proc/self/exe"))
        let unit = JobsServiceUnit(program: program.string)
        try output.print(
            Result(name: JobsServiceUnit.name, unit: unit.text, enable: JobsServiceUnit.enabling)
        ) {
            unit.text
        }
    }

    private struct Result: Encodable {
        let type = "jobsUnit"
        let name: String
        let unit: String
        /// The commands that install it.
        let enable: [String]
    }
}

/// The text of the systemd unit.
struct JobsServiceUnit {
    /// The program's own path.
    let program: String

    static let name = "valise-jobs.service"

    static let enabling = [
        "mkdir -p ~/.config/systemd/user",
        "valise jobs unit > ~/.config/systemd/user/\(name)",
        "systemctl --user daemon-reload",
        "systemctl --user enable --now \(name)",
    ]

    var text: String {
        let how = Self.enabling.map { "#   \($0)" }.joined(separator: "\n")
        return """
            # Runs pending valise jobs: interrupted ones, and those waiting for a later time. To install:
            \(how)
            # To keep it running while you are logged out: loginctl enable-linger

            [Unit]
            Description=Valise jobs
            Documentation=man:valise-jobs(1)

            [Service]
            Type=exec
            ExecStart=\(Self.quoted(program)) jobs run --watch
            \(environment)Restart=on-failure
            RestartSec=30
            # Damaged queue, queue of a newer version, or no place for a queue: restarting does not help.
            RestartPreventExitStatus=10 13 14 64
            # Running jobs stop at the next safe point.
            TimeoutStopSec=60
            KillMode=mixed
            Nice=10
            IOSchedulingClass=idle

            UMask=0077
            LimitCORE=0
            NoNewPrivileges=yes
            LockPersonality=yes
            MemoryDenyWriteExecute=yes
            RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
            RestrictNamespaces=yes
            RestrictRealtime=yes
            RestrictSUIDSGID=yes
            SystemCallArchitectures=native
            SystemCallFilter=@system-service @keyring
            SystemCallErrorNumber=EPERM

            [Install]
            WantedBy=default.target
            """
    }

    /// The variables that move the queue and the list of relays from their default locations.
    private var environment: String {
        ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].compactMap { name in
            UserFolders.variable(name).map { "Environment=\(Self.quoted("\(name)=\($0)", isValue: true))\n" }
        }.joined()
    }

    /// A quoted word of a unit file, with special characters escaped.
    private static func quoted(_ word: String, isValue: Bool = false) -> String {
        var text = ""
        for character in word {
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += "%%"
            case "$" where !isValue: text += "$$"
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-=".contains($0) }
        return isPlain ? text : "\"\(text)\""
    }
}
