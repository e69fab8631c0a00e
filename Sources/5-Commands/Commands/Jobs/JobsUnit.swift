import ArgumentParser
import Valise

struct JobsUnit: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "Print a service of systemd that resumes jobs while you are logged in.",
        discussion: """
            The unit is for your own manager of services, without root, and runs 'valise jobs run --watch'. Its first \
            lines say how to put it in place. Nothing is changed.
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
        /// The commands that put it in place.
        let enable: [String]
    }
}

/// The text of the service.
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
            # Resumes jobs of valise that were interrupted or wait for a later time. To put it in place:
            \(how)
            # To let it run while you are not logged in too: loginctl enable-linger

            [Unit]
            Description=Unfinished work of Valise
            Documentation=man:valise-jobs(1)

            [Service]
            Type=exec
            ExecStart=\(Self.quoted(program)) jobs run --watch
            \(environment)Restart=on-failure
            RestartSec=30
            # The queue is damaged, of a newer version, or has no place: another start changes nothing.
            RestartPreventExitStatus=10 13 14 64
            # What runs is stopped where it leaves nothing half.
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

    /// Where this run looks for the queue and the list of relays, where that is not the usual place.
    private var environment: String {
        ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].compactMap { name in
            UserFolders.variable(name).map { "Environment=\(Self.quoted("\(name)=\($0)", isValue: true))\n" }
        }.joined()
    }

    /// A word of a unit: quoted, with what it would take for its own doubled.
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
