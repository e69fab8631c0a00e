import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing

@testable import Valise

/// What the system is given to run backups.
struct ScheduleBackupsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("valise-schedule") }

    private func operation(_ form: ScheduleBackups.Form) -> ScheduleBackups {
        var operation = ScheduleBackups(
            form, name: "backups",
            daily: [["run", "/a b", "--command", "pass 'x' | sed s/%/$1/"], ["verify"]])
        operation.drill = [["drill", "/a b"]]
        operation.pings = ScheduleBackups.Pings(
            start: ["ping", "--start", "https://monitor/x"], success: ["ping", "https://monitor/x"],
            failure: ["ping", "--fail", "https://monitor/x"])
        operation.environment = [("XDG_STATE_HOME", "/state of mine")]
        operation.finalStatuses = [3, 64]
        operation.manual = "page(1)"
        return operation
    }

    /// A program that writes down how it was called, one line for each call, and fails where that is said.
    private func program() throws -> FilePath {
        let path = folder.appending("program")
        let script = """
            #!/bin/sh
            printf '<%s>' "$@" >> "\(folder.path)/calls"
            echo >> "\(folder.path)/calls"
            case "$1" in "$(cat "\(folder.path)/fails")") exit 1;; esac
            """
        try FileSystem().replace(path, with: Array(script.utf8), permissions: .ownerReadWriteExecute)
        return path
    }

    private func calls(_ line: String, failing: String) throws -> [String] {
        let fileSystem = FileSystem()
        try fileSystem.replace(folder.appending("calls"), with: [])
        try fileSystem.replace(folder.appending("fails"), with: Array(failing.utf8))
        _ = try #require(OtherProgram("sh")).run(["-c", line])
        let text = String(
            decoding: try fileSystem.contents(of: folder.appending("calls"), limit: 1 << 20), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `units for systemd have all commands, their order and the time`() {
        var operation = operation(.systemd)
        operation.minute = 23 * 60 + 5
        let schedule = operation.schedule("/usr/bin/program")
        #expect(
            schedule.files.map(\.name) == [
                "backups.service", "backups.timer", "backups-drill.service", "backups-drill.timer",
            ])
        let lines = schedule.files.map { $0.text.split(separator: "\n").map(String.init) }
        let commands = lines[0].filter { $0.hasPrefix("Exec") }
        #expect(commands.count == 4 && commands[0].hasPrefix("ExecStartPre=-/usr/bin/program ping --start"))
        #expect(
            commands[1]
                == #"ExecStart=/usr/bin/program run "/a b" --command "pass 'x' | sed s/%%/$$1/""#)
        #expect(commands[3].hasPrefix("ExecStopPost=-/bin/sh -c \"if [ \\\"$$SERVICE_RESULT\\\""))
        #expect(lines[0].contains("Environment=\"XDG_STATE_HOME=/state of mine\""))
        #expect(lines[0].contains("ConditionACPower=true") && !lines[0].contains { $0.hasPrefix("User=") })
        #expect(lines[1].contains("OnCalendar=*-*-* 23:05:00") && lines[1].contains("Persistent=true"))
        #expect(lines[3].contains("OnCalendar=Sun *-*-* 01:05:00"))
        #expect(!schedule.files[2].text.contains("ExecStartPre"))
        operation.user = "alice"
        operation.runsOnBattery = true
        operation.drillRhythm = .never
        let system = operation.schedule("/usr/bin/program")
        #expect(system.files.count == 2 && system.files[0].text.contains("\nUser=alice\n"))
        #expect(!system.files[0].text.contains("ConditionACPower"))
    }

    @Test(.enabled(if: OtherProgram.isThere("systemd-analyze", "sh")))
    func `systemd accepts the units`() throws {
        for user in [nil, "root"] {
            var operation = operation(.systemd)
            operation.user = user
            let schedule = operation.schedule(try program())
            let units = folder.appending("units-\(user ?? "own")")
            try FileSystem().makeDirectories(units)
            for file in schedule.files {
                try FileSystem().replace(units.appending(file.name), with: Array(file.text.utf8))
            }
            let analyze = try #require(OtherProgram("systemd-analyze"))
            let (status, output) = try analyze.run(
                ["verify", "--man=no"] + schedule.files.map { units.appending($0.name).string })
            #expect(status == 0 && !output.contains("backups"), "\(output)")
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("sh", "od")))
    func `the line of a crontab runs all, and reports what failed`() throws {
        var operation = operation(.cron)
        operation.jitter = 0
        operation.runsOnBattery = true
        let text = operation.schedule(try program()).files[0].text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[1].hasPrefix("30 3 * * * ") && lines[2].hasPrefix("30 5 * * 0 "))
        // As cron does it.
        let scripts = lines.dropFirst().map { line in
            String(line.split(separator: " ", maxSplits: 5)[5]).replacing("\\%", with: "%")
        }
        let run = "<run></a b><--command><pass 'x' | sed s/%/$1/>"
        let check = "<https://monitor/x>"
        #expect(
            try calls(scripts[0], failing: "nothing") == [
                "<ping><--start>\(check)", run, "<verify>", "<ping>\(check)",
            ])
        #expect(
            try calls(scripts[0], failing: "run") == [
                "<ping><--start>\(check)", run, "<ping><--fail>\(check)",
            ])
        #expect(try calls(scripts[1], failing: "nothing") == ["<drill></a b>"])
        #expect(try calls(scripts[1], failing: "drill") == ["<drill></a b>", "<ping><--fail>\(check)"])
    }

    @Test func `a property list can be read, and has the same line`() throws {
        let schedule = operation(.launchd).schedule("/usr/bin/program")
        #expect(schedule.files.map(\.name) == ["backups.plist", "backups-drill.plist"])
        for file in schedule.files {
            let list = try PropertyListSerialization.propertyList(from: Data(file.text.utf8), format: nil)
            let properties = try #require(list as? [String: Any])
            let arguments = try #require(properties["ProgramArguments"] as? [String])
            #expect(arguments.prefix(2) == ["/bin/sh", "-c"] && arguments[2].contains("/usr/bin/program"))
            #expect(properties["StartCalendarInterval"] is [String: Any])
        }
    }

    @Test func `files are written where they are wanted, and not over others`() async throws {
        var operation = operation(.systemd)
        operation.folder = folder.appending("new/units")
        let context = OperationContext()
        let planned = try await operation.plan(in: context)
        #expect(planned.files.allSatisfy { $0.path == nil })
        #expect(try !FileSystem().exists(folder.appending("new")))
        let written = try await operation.run(in: context)
        for file in written.files {
            let path = FilePath(try #require(file.path))
            #expect(try FileSystem().contents(of: path, limit: 1 << 20) == Array(file.text.utf8))
        }
        await #expect(throws: OperationError.self) { try await operation.run(in: context) }
        operation.replacesFiles = true
        #expect(try await operation.run(in: context).text.contains("to enable:"))
    }
}
