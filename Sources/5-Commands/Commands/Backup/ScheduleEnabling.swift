import Valise
import ValiseTerminal

extension SchedulePlaceOptions {
    /// Where the system looks for the files.
    var folder: String {
        switch format {
        case .systemd: system ? "/etc/systemd/system" : "~/.config/systemd/user"
        case .cron: system ? "/etc/cron.d" : "."
        case .launchd: system ? "/Library/LaunchDaemons" : "~/Library/LaunchAgents"
        }
    }

    /// The commands that make the system use the files, once they are there.
    func enabling(drills: Bool) -> [String] {
        let names = drills ? [name, "\(name)-drill"] : [name]
        switch format {
        case .systemd:
            let control = system ? "systemctl" : "systemctl --user"
            let timers = names.map { "\($0).timer" }.joined(separator: " ")
            return ["\(control) daemon-reload", "\(control) enable --now \(timers)"]
                + (system ? [] : ["loginctl enable-linger"])
        case .cron:
            return system ? [] : ["{ crontab -l; cat \(name).cron; } | crontab -"]
        case .launchd:
            let domain = system ? "system" : "gui/$(id -u)"
            return names.map { "launchctl bootstrap \(domain) \(folder)/\($0).plist" }
        }
    }
}
