import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise backup verify`, `drill`, `forget`, `prune` and `repair` as a user runs them, on a repository of our own.
struct BackupMaintenanceTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try fileSystem.replace(folder.appending("password"), with: Array("correct horse battery staple".utf8))
        try PreparedAccount.sample(at: account.string, "--messages", "100")
        let made = try backup("init", repository.string, "--allow-weak", places: false)
        #expect(made.status == 0, "\(made.errors)")
    }

    private var account: FilePath { folder.appending("account") }
    private var repository: FilePath { folder.appending("repository") }

    private func backup(_ words: String..., places: Bool = true) throws -> Program.Outcome {
        let options = ["--password-file", folder.appending("password").string, "--no-input"]
        return try Program.run(
            Program.valise, ["backup"] + words + (places ? ["--repo", repository.string] : []) + options,
            environment: ["HOME": folder.appending("home").string, "XDG_STATE_HOME": state])
    }

    private var state: String { folder.appending("state").string }

    private func run() throws {
        let made = try backup("run", account.string, "--passphrase-file", folder.appending("key").string)
        #expect(made.status == 0, "\(made.errors)")
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any], "\(outcome.output) \(outcome.errors)")
    }

    private func packs() throws -> [FilePath] {
        let data = repository.appending("data")
        return try fileSystem.list(data).compactMap(\.name).flatMap { part in
            try fileSystem.list(data.appending(part)).compactMap(\.name).map {
                data.appending(part).appending($0)
            }
        }
    }

    private func size(_ path: FilePath) -> Int64 {
        (try? fileSystem.attributes(of: path)?.size) ?? 0
    }

    @Test func `verify and drill pass, and find a flipped bit`() throws {
        try run()
        let verified = try backup("verify", "--read-data")
        #expect(verified.status == 0 && verified.output.contains("the repository is intact"))
        let part = try json(backup("verify", "--read-data-subset", "1/2", "--json"))
        #expect(part["isIntact"] as? Bool == true && part["extent"] as? String == "1/2")
        // All was read today.
        #expect(try json(backup("verify", "--read-in-days", "2", "--json"))["isReadToday"] as? Bool == true)
        let drilled = try backup("drill", "--json")
        #expect(drilled.status == 0, "\(drilled.errors)")
        let drills = try #require(try json(drilled)["drills"] as? [[String: Any]])
        #expect(drills.first?["outcome"] as? String == "passed")
        #expect(try backup("drill", account.string).output.contains("passed"))

        let pack = try #require(try packs().max { size($0) < size($1) })
        var bytes = try fileSystem.contents(of: pack, limit: 1 << 28)
        bytes[bytes.count / 2] ^= 1
        try fileSystem.remove(pack)
        try fileSystem.replace(pack, with: bytes)
        #expect(try backup("verify").status == 0)
        let damaged = try backup("verify", "--read-data")
        let name = try #require(pack.lastComponent?.string)
        #expect(damaged.status == 13 && damaged.output.contains(name), "\(damaged.output)")
        #expect(damaged.output.contains("valise backup repair snapshots"))
        #expect(try backup("drill").status == 13)
        // The account has everything still: the hints in their order mend the repository.
        #expect(damaged.output.contains("valise backup repair packs"))
        let repaired = try backup("repair", "packs")
        #expect(repaired.status == 0 && repaired.output.contains("valise backup run"), "\(repaired.output)")
        try run()
        #expect(try backup("verify", "--read-data").status == 0)
        #expect(try backup("drill").status == 0)
    }

    @Test func `forget shows a plan, asks, and removes; prune and restic find the rest intact`() throws {
        for _ in 0..<3 { try run() }
        let plan = try backup("forget", "--keep-last", "1", "--dry-run")
        #expect(plan.status == 0 && plan.output.contains("keep 1, remove 2"), "\(plan.output)")
        let refused = try backup("forget", "--keep-last", "1")
        #expect(refused.status == 64 && refused.errors.contains("--yes"), "\(refused.errors)")
        let last = try backup("forget", "--keep-last", "1", "--yes", "--prune", "--json")
        #expect(last.status == 0, "\(last.errors)")
        #expect((try json(last)["removed"] as? [String])?.count == 2)
        let only = try backup("forget", "latest", "--yes")
        #expect(only.status == 64 && only.errors.contains("--allow-empty"), "\(only.errors)")
        let pruned = try backup("prune", "--max-unused", "0%", "--yes", "--json")
        #expect(pruned.status == 0, "\(pruned.errors)")
        guard let restic = OtherProgram("restic") else { return }
        let (status, output) = try restic.run(
            [
                "-r", repository.string, "-p", folder.appending("password").string, "--no-cache", "check",
                "--read-data",
            ])
        #expect(status == 0 && output.contains("no errors were found"), "\(output)")
    }

    @Test func `a lost index is repaired, and a plan changes nothing`() throws {
        try run()
        let index = repository.appending("index")
        for name in try fileSystem.list(index).compactMap(\.name) {
            try fileSystem.remove(index.appending(name))
        }
        let broken = try backup("verify")
        #expect(broken.status == 13)
        let plan = try backup("repair", "index", "--dry-run", "--json")
        #expect(try plan.status == 0 && json(plan)["type"] as? String == "backupRepairPlan")
        #expect(try fileSystem.list(index).isEmpty)
        #expect(try backup("repair", "index").status == 0)
        #expect(try backup("verify", "--read-data").status == 0)
        #expect(try backup("repair", "snapshots", "--read-data").output.contains("1 snapshot intact"))
    }

    @Test func `wrong options are refused before the repository is opened`() throws {
        for words in [
            ["verify", "--read-data", "--read-in-days", "3"], ["verify", "--read-data-subset", "3/2"],
            ["verify", "--read-in-days", "0"], ["forget"], ["forget", "latest", "--keep-last", "1"],
            ["forget", "--keep-last", "0"], ["forget", "--keep-within", "2 weeks"],
            ["prune", "--max-unused", "101%"], ["repair", "index", "--read-data"], ["repair", "all"],
            ["drill", "account", "--snapshot", "latest"],
        ] {
            let outcome = try Program.run(Program.valise, ["backup"] + words + ["--repo", "nowhere"])
            #expect(outcome.status == 64, "\(words): \(outcome.errors)")
        }
    }
}
