import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles

/// `valise account check`: its statuses and what it prints.
struct CheckCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account.directory.string)
    }

    private func check(_ path: FilePath, _ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["account", "check", path.string, key] + more)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `whole is 0, in a folder and in an archive`() throws {
        let archive = folder.appending("a.zip")
        #expect(
            try Program.valise(
                "archive", "export", account.directory.string, archive.string, key, "--quiet"
            ).status == 0)
        for path in [account.directory, archive] {
            let outcome = try check(path)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasSuffix("the account is intact\n"))
            #expect(try json(try check(path, "--quick", "--json"))["verdict"] as? String == "whole")
        }
    }

    @Test func `damage is 13, and the JSON names file, page, offset and table`() throws {
        let path = account.path(of: .chat)
        var bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        bytes[5 * 4096 + 11] ^= 0x10
        try fileSystem.replace(path, with: bytes)
        let outcome = try check(account.directory, "--json")
        #expect(outcome.status == 13)
        let report = try json(outcome)
        #expect(report["type"] as? String == "accountCheck")
        let chat = try #require(report["chat"] as? [String: Any])
        #expect(chat["file"] as? String == path.string)
        let problem = try #require((chat["problems"] as? [[String: Any]])?.first)
        #expect(problem["page"] as? Int == 6)
        #expect(problem["offset"] as? Int == 5 * 4096)
        #expect((problem["table"] as? String)?.isEmpty == false)
        #expect(try check(account.directory).output.contains("page 6 ("))
    }

    @Test func `a wrong passphrase is 12, nothing there 10, and no account in an archive 13`() throws {
        let wrong = folder.appending("wrong")
        try fileSystem.replace(wrong, with: Array("x'\(String(repeating: "00", count: 32))'".utf8))
        let refused = try Program.valise(
            "account", "check", account.directory.string, "--passphrase-file=\(wrong)")
        #expect(refused.status == 12)
        #expect(refused.output == "wrong passphrase\n")
        #expect(try check(folder.appending("nowhere")).status == 10)
        try fileSystem.replace(folder.appending("text.zip"), with: Array("no archive, but long enough".utf8))
        #expect(try check(folder.appending("text.zip")).status == 13)
    }

    /// - Parameter size: of the file that is left; nil for all of it but a few bytes.
    @Test(arguments: [0, 100, 4096, 8 * 4096, nil])
    func `a database that is cut off is 13 in the status too, which shows the rest`(size: Int?) throws {
        let intact = try status()
        #expect(intact.status == 0, "\(intact.errors)")
        let before = try json(try status("--json"))
        #expect((before["chat"] as? [String: Any])?["damaged"] as? Bool == false)

        let path = account.path(of: .chat)
        let bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        try fileSystem.replace(path, with: Array(bytes.prefix(size ?? bytes.count - 100)))
        let cut = try status()
        #expect(cut.status == 13, "\(cut.output)")
        #expect(cut.output.contains("damaged") && cut.output.contains("valise schema, "), "\(cut.output)")
        // A command that can be pasted has the passphrase of this one.
        let (folder, given) = (account.directory, "--passphrase-file \(self.folder.appending("key"))")
        #expect(
            cut.errors == """
                valise: \(folder): the chat database is damaged
                hint: to see the details, run: valise account check \(folder) \(given)
                hint: to recover readable data, run: valise account salvage \(folder) \(folder)-salvaged \(given)

                """)
        let document = try status("--json")
        #expect(document.status == 13)
        let chat = try #require(try json(document)["chat"] as? [String: Any])
        #expect(chat["damaged"] as? Bool == true)
        #expect((chat["problem"] as? String)?.isEmpty == false)
        let agent = try #require(try json(document)["agent"] as? [String: Any])
        #expect(agent["damaged"] as? Bool == false && agent["access"] as? String == "opened")
        let migrations = try Program.valise("migrate", "status", account.directory.string, key)
        #expect(migrations.status == 13, "\(migrations.output)")
    }

    private func status(_ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["account", "status", account.directory.string, key] + more)
    }

    @Test func `both damaged databases are told of in one sentence, without a passphrase`() throws {
        for database in AccountDatabase.allCases {
            try fileSystem.replace(account.path(of: database), with: [1, 2, 3])
        }
        let outcome = try Program.valise("account", "status", account.directory.string)
        #expect(outcome.status == 13)
        #expect(
            outcome.errors.hasPrefix("valise: \(account.directory): both databases are damaged\n"),
            "\(outcome.errors)")
    }

    @Test func `rows that refer to missing rows have a verdict and a hint of their own, which ends`() throws {
        let sample = try sample()
        do {
            let connection = try Connection(
                sample.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
            try connection.execute(
                "PRAGMA foreign_keys = OFF; UPDATE chat_items SET user_id = 999 WHERE chat_item_id <= 3")
        }
        let found = try check(sample.directory)
        #expect(found.status == 13, "\(found.errors)")
        #expect(
            found.output.contains("\nthe pages are intact; references to missing rows in 3 rows\n"),
            "\(found.output)"
        )
        #expect(found.output.contains("-salvaged --drop-orphans --passphrase-file "), "\(found.output)")
        #expect(!found.output.contains("damaged"), "\(found.output)")

        let kept = try salvage(sample, to: "kept")
        #expect(
            kept.output.contains("\nreferences to lost rows in 3 rows\n")
                && kept.output.contains("hint: to leave out these rows, add --drop-orphans"), "\(kept.output)"
        )
        #expect(try check(folder.appending("kept")).status == 13)
        let dropped = try salvage(sample, to: "dropped", "--drop-orphans")
        #expect(!dropped.output.contains("--drop-orphans"), "\(dropped.output)")
        #expect(try check(folder.appending("dropped")).status != 13)
    }

    @Test func `a missing database is named, and the other one is checked`() throws {
        let sample = try sample()
        try fileSystem.remove(sample.path(of: .agent))
        let outcome = try check(sample.directory)
        #expect(outcome.status == 13, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("chat: OK; "), "\(outcome.output)")
        #expect(outcome.output.contains("\nagent: missing\nmedia: "), "\(outcome.output)")
        #expect(
            outcome.output.hasSuffix("\nthe account cannot be used: the agent database is missing\n"),
            "\(outcome.output)")
        let wrong = folder.appending("wrong")
        try fileSystem.replace(wrong, with: Array("x'\(String(repeating: "00", count: 32))'".utf8))
        let refused = try Program.valise(
            "account", "check", sample.directory.string, "--passphrase-file=\(wrong)")
        #expect(refused.status == 12, "\(refused.output)")

        let saved = try salvage(sample, to: "saved")
        #expect(saved.status == 3)
        #expect(saved.output.contains("apps cannot use this account"), "\(saved.output)")
        // What the hint says to read the messages with does.
        let mark = "hint: to read its messages, run: valise "
        let line = try #require(saved.output.split(separator: "\n").first { $0.hasPrefix(mark) })
        let command = "'\(Program.valise)' \(line.dropFirst(mark.count))"
        let read = try Program.run("/bin/sh", ["-c", command])
        #expect(read.status == 0 && read.output.contains("item_text"), "\(line): \(read.errors)")
        #expect(!saved.output.contains("the new account is in"), "\(saved.output)")
        let planned = try salvage(sample, to: "planned", "--dry-run")
        #expect(planned.output.contains("would recover") && planned.output.contains("would be copied"))
        #expect(!planned.output.contains(": recovered"), "\(planned.output)")
    }

    @Test func `a salvage without the chat database says that apps cannot use it, and is not advised again`()
        throws
    {
        let path = account.path(of: .chat)
        let bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        try fileSystem.replace(path, with: Array(repeating: 0x58, count: 16) + bytes.dropFirst(16))
        let saved = try salvage(account, to: "saved")
        #expect(saved.status == 3, "\(saved.errors)")
        let folder = folder.appending("saved")
        #expect(
            saved.output.contains(
                """
                the recovered data is in \(folder)
                it has no chat database (contacts and messages): apps cannot use this account

                """), "\(saved.output)")
        #expect(saved.output.contains(" --repair-salt"), "\(saved.output)")

        let rest = AccountLocation(directory: folder)
        let checked = try check(folder)
        #expect(checked.status == 13, "\(checked.errors)")
        #expect(
            checked.output.hasSuffix("\nthe account cannot be used: the chat database is missing\n"),
            "\(checked.output)")
        // Nor where the other one is damaged.
        var agent = try fileSystem.contents(of: rest.path(of: .agent), limit: 1 << 26)
        agent[60] ^= 1
        try fileSystem.replace(rest.path(of: .agent), with: agent)
        for command in [["account", "check"], ["key", "verify"]] {
            let outcome = try Program.run(Program.valise, command + [folder.string, key])
            #expect(outcome.status != 0 && outcome.output.contains("chat: missing"), "\(outcome.output)")
            #expect(!outcome.output.contains("salvage"), "\(outcome.output)")
        }
    }

    @Test func `a passphrase that opens the other database is not wrong: the status is damaged`() throws {
        let path = account.path(of: .agent)
        var bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        bytes[100] ^= 0xff
        try fileSystem.replace(path, with: bytes)
        let outcome = try status()
        #expect(outcome.status == 13, "\(outcome.output)")
        #expect(!outcome.output.contains("wrong passphrase"), "\(outcome.output)")
        #expect(outcome.errors.contains("the agent database is damaged"), "\(outcome.errors)")
        #expect(outcome.errors.contains("valise account check \(account.directory)"), "\(outcome.errors)")
    }

    private func sample() throws -> AccountLocation {
        let sample = folder.appending("sample")
        try PreparedAccount.sample(at: sample.string, "--messages", "100")
        return AccountLocation(directory: sample)
    }

    private func salvage(
        _ account: AccountLocation, to name: String, _ more: String...
    ) throws -> Program.Outcome {
        try Program.run(
            Program.valise,
            ["account", "salvage", account.directory.string, folder.appending(name).string, key] + more)
    }

    @Test func `only media missing is 3`() throws {
        let sample = try sample()
        let media = sample.filesFolder
        for entry in try fileSystem.list(media) {
            try fileSystem.remove(media.appending(try #require(entry.name)))
        }
        let outcome = try check(sample.directory, "--quick")
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("is missing"))
    }
}
