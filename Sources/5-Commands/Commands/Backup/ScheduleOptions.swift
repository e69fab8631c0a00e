import ArgumentParser
import Valise

/// When backups run.
struct ScheduleTimingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The local time, such as 03:30, which is the default.", valueName: "time"))
    var at = TimeOfDayArgument(minute: 210)

    @Option(help: ArgumentHelp("Start up to this much later, at random; 15m by default.", valueName: "span"))
    var jitter = DurationArgument(seconds: 900)

    @Flag(help: "Run on battery, too.")
    var onBattery = false
}

/// Such as `03:30`.
struct TimeOfDayArgument: ExpressibleByArgument, CustomStringConvertible {
    /// After midnight.
    let minute: Int

    init(minute: Int) { self.minute = minute }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            let hour = UInt8(parts[0]), hour < 24, let minute = UInt8(parts[1]), minute < 60
        else { return nil }
        self.minute = Int(hour) * 60 + Int(minute)
    }

    var description: String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension DurationArgument: CustomStringConvertible {
    init(seconds: Int64) { duration = .seconds(seconds) }

    /// In whole minutes where it is some.
    var description: String {
        let seconds = duration.components.seconds
        return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}

/// Which snapshots are kept.
struct ScheduleRetentionOptions: ParsableArguments {
    @Option(help: "Keep this many of the newest snapshots.")
    var keepLast: Int?
    @Option(help: "Keep the last snapshot of each of this many hours.")
    var keepHourly: Int?
    @Option(help: "Keep the last snapshot of each of this many days.")
    var keepDaily: Int?
    @Option(help: "Keep the last snapshot of each of this many weeks.")
    var keepWeekly: Int?
    @Option(help: "Keep the last snapshot of each of this many months.")
    var keepMonthly: Int?
    @Option(help: "Keep the last snapshot of each of this many years.")
    var keepYearly: Int?
    @Option(help: ArgumentHelp("Keep all snapshots of this time, such as 1y2m3d.", valueName: "span"))
    var keepWithin: String?

    /// As they are given to the command that removes snapshots; empty for none.
    var words: [String] {
        let counts = [
            ("--keep-last", keepLast), ("--keep-hourly", keepHourly), ("--keep-daily", keepDaily),
            ("--keep-weekly", keepWeekly), ("--keep-monthly", keepMonthly), ("--keep-yearly", keepYearly),
        ]
        return counts.flatMap { name, count in count.map { [name, "\($0)"] } ?? [] }
            + (keepWithin.map { ["--keep-within", $0] } ?? [])
    }

    func validate() throws {
        let counts = [keepLast, keepHourly, keepDaily, keepWeekly, keepMonthly, keepYearly].compactMap(\.self)
        guard counts.allSatisfy({ $0 > 0 }) else { throw ValidationError("--keep counts must be positive") }
    }
}

/// For whom, and where.
struct SchedulePlaceOptions: ParsableArguments {
    @Option(help: "systemd, cron or launchd.")
    var format = Self.usual

    @Flag(help: "For the system instead of the user; it runs as the user of this command, or as --user.")
    var system = false

    @Option(help: "Run as this user, with --system.")
    var user: String?

    @Option(help: "The name of the units. Give each repository another one.")
    var name = "valise-backup"

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("Write the files into this folder.", valueName: "folder"), completion: .directory)
    var output: String?

    @Flag(help: "Replace existing files.")
    var force = false

    #if canImport(Darwin)
        private static let usual = ScheduleBackups.Form.launchd
    #else
        private static let usual = ScheduleBackups.Form.systemd
    #endif

    func validate() throws {
        guard user == nil || system else { throw ValidationError("--user needs --system") }
        let isName = name.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-")
        }
        guard isName, !name.hasPrefix("-") else {
            throw ValidationError("--name has letters, digits and hyphens only")
        }
    }

    /// As whom the system runs it; nil for a service of the user.
    var account: String? {
        guard system else { return nil }
        return user ?? UserFolders.variable("SUDO_USER") ?? UserFolders.variable("USER") ?? "root"
    }
}
