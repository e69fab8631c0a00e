import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise backup init`, `key` and `password`.
struct RepositoryCommandTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    private static let first = "correct horse battery staple 8237"
    private static let second = "many quiet lanterns under 5521 water"

    init() throws {
        folder = try TemporaryFolder()
        environment = ["HOME": folder.appending("home").string]
        let fileSystem = FileSystem()
        try fileSystem.makeDirectory(folder.appending("home"))
        for (name, text) in [("first", Self.first), ("second", Self.second), ("weak", "secret")] {
            try fileSystem.replace(folder.appending(name), with: Array((text + "\n").utf8))
        }
    }

    private var repository: String { folder.appending("repository").string }

    private func file(_ option: String, _ name: String) -> String { "--\(option)=\(folder.appending(name))" }

    private func backup(
        _ arguments: String..., password: String? = "first", variables: [String: String] = [:]
    ) throws -> Program.Outcome {
        let given = password.map { [file("password-file", $0)] } ?? []
        return try Program.run(
            Program.valise, ["backup"] + arguments + given,
            environment: environment.merging(variables) { $1 })
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    private func keys(_ password: String = "first") throws -> [[String: Any]] {
        let list = try json(
            backup("key", "list", "--repo", repository, "--json", password: password))
        return try #require(list["keys"] as? [[String: Any]])
    }

    @Test func `a repository is created once, and what is lost without its password is said`() throws {
        let plan = try backup("init", repository, "--dry-run", password: nil)
        #expect(plan.status == 0 && plan.output.hasPrefix("would create a repository in "), "\(plan.errors)")
        let made = try backup("init", repository)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("everything in the repository is lost"))
        #expect(made.output.contains("there is no recovery sheet"))
        #expect(made.output.contains("valise backup run --repo "))
        let again = try backup("init", repository, "--json")
        #expect(again.status == 1 && again.output.contains("alreadyExists"), "\(again.output)")
        let unasked = try backup("init", folder.appending("other").string, password: nil)
        #expect(unasked.status == 64 && unasked.errors.contains("a password for the new repository"))
        let weak = try backup("init", folder.appending("other").string, password: "weak")
        #expect(weak.status == 64 && weak.errors.contains("too easy to guess"), "\(weak.errors)")
        #expect(weak.errors.contains("--allow-weak"))
        #expect(try !FileSystem().exists(folder.appending("other")))
    }

    @Test func `a recovery sheet is written`() throws {
        let sheet = folder.appending("sheet.pdf")
        let made = try json(backup("init", repository, "--sheet", sheet.string, "--json"))
        #expect(made["type"] as? String == "backupInitialized")
        #expect((made["sheet"] as? [String: Any])?["file"] as? String == sheet.string)
        #expect(try FileSystem().contents(of: sheet, limit: 1 << 20).starts(with: Array("%PDF".utf8)))
        let other = try backup(
            "init", folder.appending("other").string, "--sheet", folder.appending("sheet.doc").string)
        #expect(other.status == 64)
    }

    @Test func `variables name the repository and its password`() throws {
        let variables = [
            "RESTIC_REPOSITORY": repository, "RESTIC_PASSWORD_FILE": folder.appending("first").string,
        ]
        #expect(try backup("init", password: nil, variables: variables).status == 0)
        let list = try backup("key", "list", password: nil, variables: variables)
        #expect(list.status == 0 && list.output.contains("* "), "\(list.errors)")
        // The only one that was used.
        #expect(try backup("key", "list").status == 0)
        #expect(try backup("key", "list", password: "second").status == 12)
        let missing = try backup("key", "list", "--repo", folder.appending("none").string)
        #expect(missing.status == 10, "\(missing.errors)")
    }

    @Test func `passwords are added, changed and removed`() throws {
        _ = try json(backup("init", repository, "--json"))
        let new = file("new-password-file", "second")
        let plan = try json(backup("key", "add", "--repo", repository, new, "--dry-run", "--json"))
        #expect(plan["type"] as? String == "changePlan")
        #expect(try keys().count == 1)
        let added = try json(
            backup("key", "add", "--repo", repository, new, "--host", "desk", "--json"))
        let id = try #require(added["key"] as? String)
        #expect(try keys("second").count == 2)
        #expect(try backup("key", "add", "--repo", repository, new).status == 1)
        let own = try backup("key", "remove", id, "--repo", repository, password: "second")
        #expect(own.status == 64 && own.errors.contains("was not removed"), "\(own.errors)")
        let removed = try json(backup("key", "remove", id, "--repo", repository, "--json"))
        #expect(removed["type"] as? String == "backupKeyRemoved" && removed["keys"] as? Int == 1)
        let changed = try json(backup("password", "change", "--repo", repository, new, "--json"))
        #expect(changed["type"] as? String == "backupPasswordChanged" && changed["changed"] as? Bool == true)
        #expect(try keys("second").count == 1)
        #expect(try backup("key", "list", "--repo", repository).status == 12)
    }

    @Test func `a new password is typed twice, or generated`() throws {
        let made = try Program.atTerminal(
            ["backup", "init", repository], answers: ["secret", Self.first, Self.first],
            environment: environment)
        #expect(made.status == 0 && made.output.contains("Too easy to guess"), "\(made.output)")
        #expect(made.output.contains("New password, for the repository"))
        #expect(try keys().count == 1)
    }

    @Test func `a change that is killed leaves a password that works`() throws {
        _ = try json(backup("init", repository, "--json"))
        for delay in FaultSweep.few(of: Array(0..<20)) {
            let change = ["backup", "password", "change", "--repo", repository]
            _ = try Program.run(
                Program.valise,
                change + [file("password-file", "first"), file("new-password-file", "second")],
                environment: environment, killAfter: .milliseconds(100 + delay * 150))
            // A killed run's lock is one of a process of this machine that is gone.
            let names: [String] = ["first", "second"]
            let open = try names.first {
                try backup("key", "list", "--repo", repository, password: $0).status == 0
            }
            let current = try #require(open)
            let back = try Program.run(
                Program.valise,
                change + [
                    file("password-file", current), file("new-password-file", "second"),
                ], environment: environment)
            #expect(back.status == 0, "\(back.errors)")
            #expect(try keys("second").count == 1)
            _ = try json(
                backup(
                    "password", "change", "--repo", repository, file("new-password-file", "first"), "--json",
                    password: "second"))
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("restic"), "needs restic"), arguments: [1, 2])
    func `restic opens what was created, with the added password too`(version: Int) throws {
        let restic = try #require(OtherProgram("restic"))
        func status(_ password: String) throws -> Int32 {
            try restic.run([
                "-r", repository, "-p", folder.appending(password).string, "--no-cache", "cat", "config",
            ]).status
        }
        _ = try json(backup("init", repository, "--repository-version", "\(version)", "--json"))
        #expect(try status("first") == 0 && status("second") != 0)
        _ = try json(
            backup("key", "add", "--repo", repository, file("new-password-file", "second"), "--json"))
        #expect(try status("first") == 0 && status("second") == 0)
        let check = try restic.run([
            "-r", repository, "-p", folder.appending("second").string, "--no-cache", "check",
        ])
        #expect(check.status == 0, "\(check.output)")
        let added = try restic.run([
            "-r", repository, "-p", folder.appending("first").string, "--no-cache", "key", "add",
            "--new-password-file", folder.appending("weak").string,
        ])
        #expect(added.status == 0, "\(added.output)")
        #expect(try keys("weak").count == 3)
        _ = try json(
            backup(
                "password", "change", "--repo", repository, file("new-password-file", "second"), "--json",
                password: "weak"))
        #expect(try status("weak") != 0 && status("second") == 0)
    }
}
