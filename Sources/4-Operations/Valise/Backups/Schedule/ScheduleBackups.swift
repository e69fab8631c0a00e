package import SystemPackage
import ValiseFailures
import ValiseFiles

/// Describes how the system runs backups by itself: as units of systemd, lines for cron, or property lists for launchd. It
/// installs nothing; the files may be written into a folder.
package struct ScheduleBackups: Operation {
    /// Who runs it.
    package enum Form: String, Sendable, CaseIterable {
        case systemd
        case cron
        case launchd
    }

    /// How often the newest snapshots are opened.
    package enum Rhythm: String, Sendable, CaseIterable {
        case weekly
        case monthly
        case never
    }

    /// Of this program, for a monitor.
    package struct Pings: Sendable {
        package var start: [String]
        package var success: [String]
        package var failure: [String]

        package init(start: [String], success: [String], failure: [String]) {
            (self.start, self.success, self.failure) = (start, success, failure)
        }
    }

    package var form: Form
    /// What the files are called, without their endings.
    package var name: String
    /// With these arguments this program is run each day, one after the other; the first failure ends it.
    package var daily: [[String]]
    /// The same for what proves that snapshots open.
    package var drill: [[String]] = []
    package var drillRhythm = Rhythm.weekly
    package var pings: Pings?
    /// After midnight, in minutes.
    package var minute = 3 * 60 + 30
    /// At most this much later, in seconds.
    package var jitter: Int64 = 900
    /// Whether it is run on battery.
    package var runsOnBattery = false
    /// As whom the system runs it; nil for a service of the user.
    package var user: String?
    /// The variables of the environment that it needs.
    package var environment: [(name: String, value: String)] = []
    /// The exit statuses after which another try does not help.
    package var finalStatuses: [Int32] = []
    /// A manual page, such as `name(1)`.
    package var manual = ""
    /// Where the system looks for the files, and the commands that make it use them, for the report.
    package var place = ""
    package var enabling: [String] = []
    /// Where the files are written; nil for nowhere.
    package var folder: FilePath?
    /// Whether files there are replaced.
    package var replacesFiles = false

    package init(_ form: Form, name: String, daily: [[String]]) {
        self.form = form
        self.name = name
        self.daily = daily
    }

    package func plan(in context: OperationContext) async throws -> BackupSchedule {
        try await context.blocking { _ in try checked() }
    }

    /// - Throws: ``OperationError``: `alreadyExists`; `FileError`.
    package func run(in context: OperationContext) async throws -> BackupSchedule {
        try await context.blocking { _ in
            var schedule = try checked()
            guard let folder else { return schedule }
            try FileSystem().makeDirectories(folder)
            for number in schedule.files.indices {
                let path = folder.appending(schedule.files[number].name)
                try FileSystem().replace(path, with: Array(schedule.files[number].text.utf8))
                schedule.files[number].path = path.string
            }
            return schedule
        }
    }

    private func checked() throws -> BackupSchedule {
        let schedule = schedule(try FileSystem().resolve("/proc/self/exe"))
        guard let folder, !replacesFiles else { return schedule }
        for file in schedule.files {
            let path = folder.appending(file.name)
            guard try FileSystem().exists(path) else { continue }
            throw OperationError(
                .alreadyExists, "already exists. Nothing was written.", subject: path.string,
                remedy: .replaceFile(path))
        }
        return schedule
    }

    func schedule(_ program: FilePath) -> BackupSchedule {
        let files =
            switch form {
            case .systemd: systemd(program)
            case .cron: cron(program)
            case .launchd: launchd(program)
            }
        return BackupSchedule(form, files, place: place, enable: enabling)
    }

    /// When snapshots are opened: when the daily run has usually ended.
    var drillMinute: Int { (minute + 120) % 1440 }

    /// Whether there is a drill at all.
    var drills: Bool { drillRhythm != .never && !drill.isEmpty }
}
