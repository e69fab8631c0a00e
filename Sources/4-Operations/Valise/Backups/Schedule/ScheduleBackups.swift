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
        switch form {
        case .systemd: systemd(program)
        case .cron: cron(program)
        case .launchd: launchd(program)
        }
    }

    /// When snapshots are opened: when the daily run has usually ended.
    var drillMinute: Int { (minute + 120) % 1440 }

    var drills: Bool { drillRhythm != .never && !drill.isEmpty }
}

/// Files that make the system run backups.
package struct BackupSchedule: OperationReport {
    /// A file.
    package struct File: Encodable, Sendable {
        package let name: String
        /// Its content.
        package let text: String
        /// Where it was written; nil for nowhere.
        package fileprivate(set) var path: String?

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    package let format: String
    package fileprivate(set) var files: [File]
    /// Where the system looks for them.
    package let place: String
    /// The commands that make the system run them, once they are there.
    package let enable: [String]

    init(_ form: ScheduleBackups.Form, _ files: [File], place: String, enable: [String]) {
        format = form.rawValue
        self.files = files
        self.place = place
        self.enable = enable
    }

    /// The files one after the other, or where they were written.
    package var text: String {
        if files.allSatisfy({ $0.path != nil }) {
            return
                (files.compactMap { $0.path.map { "wrote \($0)" } } + ["to enable:"]
                + enable.map { "  \($0)" })
                .joined(separator: "\n")
        }
        let texts = files.map { file in
            files.count > 1 ? "# \(place)/\(file.name)\n\(file.text)" : file.text
        }
        return texts.joined(separator: "\n")
    }
}
