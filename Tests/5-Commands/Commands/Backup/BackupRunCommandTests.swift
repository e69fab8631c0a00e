import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise backup run`, `status`, `schedule` and `ping`, with a repository that restic made.
@Suite(.enabled(if: Program.tool("restic") != nil))
struct BackupRunCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try fileSystem.replace(folder.appending("password"), with: Array("of the repository".utf8))
        try PreparedAccount.sample(at: folder.appending("laptop").string)
        let made = try restic("init")
        #expect(made.status == 0, "\(made.errors)")
    }

    private var environment: [String: String] {
        [
            "HOME": folder.path.string, "VALISE_NO_JOBS": "1",
            "RESTIC_REPOSITORY": folder.appending("repository").string,
            "RESTIC_PASSWORD_FILE": folder.appending("password").string,
        ]
    }

    private func restic(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.tool("restic") ?? "restic", arguments + ["--no-cache"], environment: environment)
    }

    private func backup(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["backup"] + arguments, environment: environment)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome.output)\(outcome.errors)")
    }

    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var account: String { folder.appending("laptop").string }

    @Test func `a run is planned, done, and checked by restic`() throws {
        let before = try TemporaryFolder.contents(of: folder.appending("repository"))
        let planned = try backup("run", account, key, "--dry-run", "--json")
        #expect(planned.status == 0)
        #expect(try json(planned)["type"] as? String == "backupRunPlan")
        #expect(try TemporaryFolder.contents(of: folder.appending("repository")) == before)
        let first = try backup("run", account, key)
        #expect(first.status == 0 && first.output.contains(", the first one"), "\(first.errors)")
        let second = try json(backup("run", account, key, "--json", "--tag", "night", "--host", "here"))
        #expect(second["type"] as? String == "backupRun" && second["missingSnapshots"] == nil)
        let sealed = try backup("run", account, "--no-key-store", "--sealed", "--no-input")
        #expect(sealed.status == 0, "\(sealed.errors)")
        let checked = try restic("check", "--read-data")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        let list = try restic("snapshots", "--json", "--host", "here")
        #expect(list.output.contains("night") && list.output.contains("laptop"))
    }

    @Test func `exit statuses say what is wrong, and others are backed up all the same`() throws {
        #expect(try backup("run", folder.appending("none").string, key).status == 10)
        let wrong = try backup("run", account, "--passphrase-command", "echo no")
        #expect(wrong.status == 12)
        let some = try backup("run", account, folder.appending("none").string, key, "--json")
        #expect(some.status == 3)
        let accounts = try #require(try json(some)["accounts"] as? [[String: Any]])
        #expect(accounts.count == 2 && accounts[0]["snapshot"] != nil)
        #expect((accounts[1]["failure"] as? [String: Any])?["code"] as? String == "notFound")
        try fileSystem.replace(folder.appending("password"), with: Array("another".utf8))
        #expect(try backup("run", account, key).status == 12)
        #expect(try backup("run", account, key, "--repo", folder.appending("nothing").string).status == 10)
        #expect(try backup("run", account, key, "--tag", "a,b").status == 64)
    }

    @Test func `the status has ages, metrics and an exit status, also without the repository`() throws {
        #expect(try backup("status", "--offline").status == 10)
        let none = try backup("status", "--exit-code")
        #expect(none.status == 20 && none.output.contains("no account was backed up from here"))
        #expect(try backup("run", account, key, "--quiet").status == 0)
        let status = try backup("status", "--json", "--exit-code")
        #expect(status.status == 0)
        let accounts = try #require(try json(status)["accounts"] as? [[String: Any]])
        #expect(accounts.count == 1 && accounts[0]["isLate"] as? Bool == false)
        try fileSystem.rename(folder.appending("repository"), to: folder.appending("away"))
        try fileSystem.makeDirectories(folder.appending("repository"))
        let metrics = try backup("status", "--offline", "--format", "prometheus")
        #expect(metrics.status == 0, "\(metrics.errors)")
        #expect(metrics.output.contains("# TYPE valise_backup_snapshot_timestamp_seconds gauge"))
        #expect(
            metrics.output.contains("valise_backup_late{repository=")
                && metrics.output.contains("account=\"\(account)\"} 0"))
        #expect(try backup("status", "--offline", "--exit-code", "--max-age", "1d", account).status == 0)
        #expect(try backup("status", "--offline", "--exit-code", account + "2").status == 20)
    }

    @Test func `snapshots that vanish are warned of, whatever is quiet`() throws {
        for _ in 0..<2 { #expect(try backup("run", account, key, "--quiet").status == 0) }
        let snapshots = folder.appending("repository/snapshots")
        let name = try #require(try fileSystem.list(snapshots).compactMap(\.name).first)
        try fileSystem.remove(snapshots.appending(name))
        let run = try backup("run", account, key, "--quiet", "--json")
        #expect(
            run.status == 0 && run.errors.contains("warning: the repository has lost 1 snapshot"),
            "\(run.errors)")
        #expect(try json(run)["missingSnapshots"] as? [String] == [name])
        let status = try backup("status", "--exit-code")
        #expect(status.status == 20 && status.output.contains("snapshot \(name.prefix(8))"))
    }

    @Test func `a schedule has what a service needs, with absolute paths`() throws {
        let units = folder.appending("units").string
        let written = try backup(
            "schedule", account, key, "--keep-daily", "7", "--at", "02:15", "--ping", "https://example.org/c",
            "--output", units, "--json")
        #expect(written.status == 0, "\(written.errors)")
        #expect((try json(written)["files"] as? [Any])?.count == 4)
        let enabling = try #require(try json(written)["enable"] as? [String])
        #expect(
            enabling.contains("systemctl --user enable --now valise-backup.timer valise-backup-drill.timer"))
        let service = String(
            decoding: try fileSystem.contents(
                of: folder.appending("units/valise-backup.service"), limit: 1 << 20),
            as: UTF8.self)
        let commands = service.split(separator: "\n").filter { $0.hasPrefix("ExecStart=") }
        #expect(commands.count == 3 && commands[0].contains(" backup run \(account) --repo "), "\(commands)")
        #expect(commands[0].contains("--password-file \(folder.appending("password"))"))
        #expect(commands[0].contains("--passphrase-file \(folder.appending("key"))"))
        #expect(commands[1].contains("--prune --yes") && commands[1].contains("--keep-daily 7"))
        #expect(commands[2].contains("--read-in-days 30"))
        #expect(try backup("schedule", account, "--output", units).status == 1)
        #expect(try backup("schedule", account, "--output", units, "--force").status == 0)
        let cron = try backup("schedule", account, "--format", "cron", "--drill", "never")
        #expect(cron.output.contains("30 3 * * * ") && !cron.output.contains("backup drill"))
        #expect(try backup("schedule", account, "--at", "24:00").status == 64)
        let asking = try Program.run(
            Program.valise, ["backup", "schedule", account, "-r", "x"],
            environment: ["HOME": folder.path.string, "VALISE_NO_JOBS": "1"])
        #expect(asking.status == 64 && asking.errors.contains("--password-file"))
    }

    @Test func `a monitor that is not there is only noted`() throws {
        let ping = try backup("ping", "http://127.0.0.1:1/check", "--fail", "--json")
        #expect(ping.status == 0 && ping.errors.contains("could not be told"))
        #expect(try backup("ping", "no address").status == 64)
    }
}
