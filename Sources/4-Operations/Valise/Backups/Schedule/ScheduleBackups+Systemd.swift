import SystemPackage

extension ScheduleBackups {
    /// A service and its timer for the daily run, and for the drill.
    func systemd(_ program: FilePath) -> [BackupSchedule.File] {
        var files = [
            BackupSchedule.File("\(name).service", service(program, daily, "Valise backups", isDrill: false)),
            BackupSchedule.File("\(name).timer", timer("Valise backups", "*-*-*", minute)),
        ]
        if drills {
            let day = drillRhythm == .weekly ? "Sun *-*-*" : "*-*-01"
            files += [
                BackupSchedule.File(
                    "\(name)-drill.service",
                    service(program, drill, "Valise drills of backups", isDrill: true)),
                BackupSchedule.File(
                    "\(name)-drill.timer", timer("Valise drills of backups", day, drillMinute)),
            ]
        }
        return files
    }

    private func timer(_ title: String, _ day: String, _ minute: Int) -> String {
        """
        [Unit]
        Description=\(title)

        [Timer]
        OnCalendar=\(day) \(Self.digits(minute / 60)):\(Self.digits(minute % 60)):00
        RandomizedDelaySec=\(jitter)
        Persistent=true

        [Install]
        WantedBy=timers.target

        """
    }

    private func service(_ program: FilePath, _ stages: [[String]], _ title: String, isDrill: Bool) -> String
    {
        let wall = user == nil ? "" : "Wants=network-online.target\nAfter=network-online.target\n"
        let battery = runsOnBattery ? "" : "ConditionACPower=true\n"
        let identity = user.map { "User=\(SystemdWord.quoted($0, isValue: true))\n" } ?? ""
        let variables = environment.map {
            "Environment=\(SystemdWord.quoted("\($0.name)=\($0.value)", isValue: true))\n"
        }
        return """
            [Unit]
            Description=\(title)
            Documentation=man:\(manual)
            \(wall)\(battery)StartLimitIntervalSec=6h
            StartLimitBurst=4

            [Service]
            Type=oneshot
            \(identity)\(lines(program, stages, isDrill: isDrill))# Keys of servers, as lines of NAME=VALUE.
            EnvironmentFile=-\(user == nil ? "%h/.config" : "/etc")/valise/backup.env
            \(variables.joined())# What another try cannot help is not tried again.
            Restart=on-failure
            RestartSec=15min
            RestartPreventExitStatus=\(finalStatuses.map { "\($0)" }.joined(separator: " "))
            Nice=10
            IOSchedulingClass=idle

            \(SystemdUnit.confinement)

            """
    }

    /// The commands of a service: a monitor that cannot be told ends nothing.
    private func lines(_ program: FilePath, _ stages: [[String]], isDrill: Bool) -> String {
        func words(_ arguments: [String]) -> String {
            ([program.string] + arguments).map { SystemdWord.quoted($0) }.joined(separator: " ")
        }
        var lines = stages.map { "ExecStart=\(words($0))" }
        if let pings {
            let script = ScheduleScript(program)
            // A drill that passes says nothing of whether there was a backup.
            let success = isDrill ? "exit 0" : "exec \(script.command(pings.success))"
            if !isDrill { lines.insert("ExecStartPre=-\(words(pings.start))", at: 0) }
            let ending =
                "if [ \"$SERVICE_RESULT\" = success ]; then \(success); else exec \(script.command(pings.failure)); fi"
            lines.append("ExecStopPost=-/bin/sh -c \(SystemdWord.quoted(ending))")
        }
        return lines.map { "\($0)\n" }.joined()
    }

    static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
