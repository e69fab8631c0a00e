import SystemPackage

extension ScheduleBackups {
    /// Property lists for agents of the user, or for daemons that run as the user.
    func launchd(_ program: FilePath) -> [BackupSchedule.File] {
        let script = ScheduleScript(program)
        let battery = runsOnBattery ? nil : "! pmset -g batt | grep -q 'Battery Power' || exit 0"
        func file(_ label: String, _ minute: Int, _ day: String, isDrill: Bool) -> BackupSchedule.File {
            BackupSchedule.File(
                "\(label).plist",
                list(label, script.line(self, isDrill: isDrill, onBattery: battery), minute, day))
        }
        var files = [file(name, minute, "", isDrill: false)]
        if drills {
            let key = drillRhythm == .weekly ? "Weekday" : "Day"
            let day = "\n        <key>\(key)</key><integer>\(drillRhythm == .weekly ? 0 : 1)</integer>"
            files.append(file("\(name)-drill", drillMinute, day, isDrill: true))
        }
        return files
    }

    private func list(_ label: String, _ script: String, _ minute: Int, _ day: String) -> String {
        let identity = user.map { "\n    <key>UserName</key><string>\(Self.escaped($0))</string>" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key><string>\(Self.escaped(label))</string>\(identity)
                <key>ProgramArguments</key>
                <array>
                    <string>/bin/sh</string>
                    <string>-c</string>
                    <string>\(Self.escaped(script))</string>
                </array>
                <key>StartCalendarInterval</key>
                <dict>
                    <key>Hour</key><integer>\(minute / 60)</integer>
                    <key>Minute</key><integer>\(minute % 60)</integer>\(day)
                </dict>
                <key>ProcessType</key><string>Background</string>
                <key>LowPriorityIO</key><true/>
                <key>Umask</key><integer>63</integer>
            </dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
