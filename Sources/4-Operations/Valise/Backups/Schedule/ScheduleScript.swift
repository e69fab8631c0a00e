import SystemPackage

/// One line for `sh` that does what a service of systemd does with several.
struct ScheduleScript {
    private let program: FilePath

    init(_ program: FilePath) { self.program = program }

    /// A call of this program.
    func command(_ arguments: [String]) -> String {
        ([program.string] + arguments).map(Self.quoted).joined(separator: " ")
    }

    /// All of it.
    /// - Parameter onBattery: ends the script on battery; nil where that does not matter.
    func line(_ schedule: ScheduleBackups, isDrill: Bool, onBattery: String?) -> String {
        var parts = schedule.environment.map { "export \($0.name)=\(Self.quoted($0.value))" }
        let keys = schedule.user == nil ? "\"$HOME/.config/valise/backup.env\"" : "/etc/valise/backup.env"
        // Keys of servers, as lines of NAME=VALUE.
        parts += ["set -a", "[ ! -r \(keys) ] || . \(keys)", "set +a"]
        if let onBattery { parts.append(onBattery) }
        if schedule.jitter > 0 {
            parts.append("sleep $(( $(od -An -N2 -tu2 /dev/urandom) * \(schedule.jitter) / 65536 ))")
        }
        let stages = (isDrill ? schedule.drill : schedule.daily).map(command).joined(separator: " && ")
        guard let pings = schedule.pings else { return (parts + [stages]).joined(separator: "; ") }
        if isDrill { return (parts + ["\(stages) || \(command(pings.failure))"]).joined(separator: "; ") }
        parts.append(command(pings.start))
        parts.append(
            "if \(stages); then \(command(pings.success)); else \(command(pings.failure)); fi")
        return parts.joined(separator: "; ")
    }

    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "/._-=:@".utf8.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

extension ScheduleBackups {
    /// Lines of a crontab: of the user's, or of one in the folder of the system's, which names the user.
    func cron(_ program: FilePath) -> [BackupSchedule.File] {
        let script = ScheduleScript(program)
        let battery = runsOnBattery ? nil : "on_ac_power > /dev/null 2>&1; [ $? -ne 1 ] || exit 0"
        func line(_ minute: Int, _ days: String, isDrill: Bool) -> String {
            // A percent sign ends a line there.
            let command = script.line(self, isDrill: isDrill, onBattery: battery)
                .replacing("%", with: "\\%")
            return "\(minute % 60) \(minute / 60) \(days) \(user.map { "\($0) " } ?? "")\(command)\n"
        }
        var text = "# Valise backups\n" + line(minute, "* * *", isDrill: false)
        if drills {
            text += line(drillMinute, drillRhythm == .weekly ? "* * 0" : "1 * *", isDrill: true)
        }
        return [BackupSchedule.File(user == nil ? "\(name).cron" : name, text)]
    }
}
