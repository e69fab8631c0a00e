import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles

/// Every command that reads an account, while a second program has both databases open: idle, in the middle of a transaction,
/// writing all the time, or beside one that was killed while it wrote.
@Suite(.enabled(if: UsingApp.isThere, "needs Python and SQLCipher's library"))
struct UsedAccountTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: FilePath { folder.appending("account") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account.string)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome.errors)")
    }

    /// The marks of both databases, of one row and as the smallest and the largest of all.
    private static let marks = """
        SELECT min(c.n) AS low, max(c.n) AS high, (SELECT min(n) FROM agent.marks) AS agentLow,
            (SELECT max(n) FROM agent.marks) AS agentHigh FROM main.marks c
        """

    private struct Marks: Decodable {
        let low: Int
        let high: Int
        let agentLow: Int
        let agentHigh: Int

        /// One state of each database, and of both the same moment.
        var isOneMoment: Bool {
            low == high && agentLow == agentHigh && (low == agentLow || low == agentLow + 1)
        }
    }

    private func marks() throws -> Marks {
        let outcome = try Program.valise(
            "account", "sql", account.string, Self.marks, "--attach", "--json", key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("in use by python"), "\(outcome.errors)")
        return try JSONDecoder().decode(Marks.self, from: Data(outcome.output.utf8))
    }

    /// The marks of the databases in an archive, which must be whole.
    private func marks(inArchive archive: FilePath) throws -> Marks {
        let verified = try Program.valise("archive", "verify", archive.string, key, "--json")
        #expect(verified.status == 0, "\(verified.output)")
        let target = archive.appendingSuffix("-account")
        let imported = try Program.valise("archive", "import", archive.string, target.string, key, "--quiet")
        #expect(imported.status == 0, "\(imported.errors)")
        let rows = try Program.valise(
            "account", "sql", target.string, Self.marks, "--attach", "--json", key)
        return try JSONDecoder().decode(Marks.self, from: Data(rows.output.utf8))
    }

    /// Nothing of ours is left in the account.
    private func expectNothingLeft() throws {
        let names = try fileSystem.list(account).compactMap(\.name)
        #expect(!names.contains { $0.contains("valise") }, "\(names)")
    }

    /// Every command that reads.
    private func readAll(_ expected: Int, _ app: UsingApp) throws {
        let found = try marks()
        #expect(found.isOneMoment && found.low == expected, "\(found)")

        let checked = try json(try Program.valise("account", "check", account.string, key, "--json"))
        #expect(checked["verdict"] as? String == "whole", "\(checked)")
        #expect((checked["inUse"] as? String)?.contains("\(app.number)") == true)

        for command in [["key", "verify"], ["migrate", "status"], ["migrate", "plan"]] {
            let outcome = try Program.run(Program.valise, command + [account.string, key, "--json"])
            #expect(command[0] == "key" || outcome.status == 0, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("\(account) is in use by python"), "\(outcome.errors)")
            #expect(
                outcome.output.contains(#""inUse":"python"#) && outcome.output.contains("\(app.number)"),
                "\(outcome.output)")
        }

        let audited = try json(try Program.valise("media", "audit", account.string, key, "--json"))
        #expect((audited["inUse"] as? String)?.contains("\(app.number)") == true, "\(audited)")

        let media = try json(
            try Program.valise(
                "media", "export", account.string, folder.appending("media").string, key, "--json"))
        #expect((media["inUse"] as? String)?.contains("\(app.number)") == true, "\(media)")

        for more in [[], ["--reproducible"]] {
            let archive = folder.appending("a\(more.count).zip")
            let exported = try Program.run(
                Program.valise, ["archive", "export", account.string, archive.string, key, "--json"] + more)
            #expect(exported.status == 0, "\(exported.errors)")
            #expect(exported.errors.contains("in use by python"), "\(exported.errors)")
            #expect((try json(exported)["inUse"] as? String)?.contains("\(app.number)") == true)
            let archived = try marks(inArchive: archive)
            #expect(archived.isOneMoment && archived.low == expected, "\(archived)")
        }
        let differences = try json(
            try Program.valise(
                "archive", "diff", account.string, folder.appending("a0.zip").string, key, "--json"))
        #expect(differences["isSame"] as? Bool == true, "\(differences)")
        let side = try #require(differences["first"] as? [String: Any])
        #expect((side["inUse"] as? String)?.contains("\(app.number)") == true)
        try expectNothingLeft()
    }

    private func expectChangesRefused() throws {
        for arguments in [
            ["account", "compact", account.string, key], ["account", "recover", account.string],
            ["migrate", "run", account.string, key, "--confirm", "yesUp"],
            ["media", "encrypt", account.string, key],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == 11, "\(arguments): \(outcome.errors)")
        }
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `an account that an app has open is read, and not changed`(_ journal: UsingApp.Journal) throws {
        let app = try UsingApp(.idle, journal, account)
        try readAll(1, app)
        try expectChangesRefused()
        #expect(try app.end())
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `what a transaction has not committed is not read`(_ journal: UsingApp.Journal) throws {
        let app = try UsingApp(.busy, journal, account)
        try readAll(1, app)
        #expect(try app.end())
        let app2 = try UsingApp(.idle, journal, account)
        #expect(try marks().low == 2)
        #expect(try app2.end())
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `a transaction that has begun to write to the files is waited for, or read past`(
        _ journal: UsingApp.Journal
    ) throws {
        let app = try UsingApp(.spilled, journal, account)
        if journal == .wal {
            // The log has what was written, and no end of the transaction.
            #expect(try marks().low == 1)
        } else {
            let outcome = try Program.valise("account", "sql", account.string, Self.marks, "--attach", key)
            #expect(outcome.status == 11, "\(outcome.errors)")
            let migrations = try Program.valise("migrate", "status", account.string, key)
            #expect(migrations.status == 11, "\(migrations.output)")
            #expect(migrations.output.contains("chat: cannot open the database"), "\(migrations.output)")
            #expect(!migrations.errors.contains("snapshot"), "\(migrations.errors)")
            let status = try Program.valise("account", "status", account.string, key)
            #expect(status.status == 1 && status.output.contains("in use by another program"))
            try expectNothingLeft()
        }
        #expect(try app.end())
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `both databases are of one moment while an app writes all the time`(_ journal: UsingApp.Journal)
        throws
    {
        let app = try UsingApp(.writing, journal, account)
        var last = 0
        for _ in 0..<15 {
            let found = try marks()
            #expect(found.isOneMoment, "\(found)")
            #expect(found.low >= last)
            last = found.low
        }
        for round in 0..<3 {
            let archive = folder.appending("w\(round).zip")
            let exported = try Program.valise("archive", "export", account.string, archive.string, key)
            #expect(exported.status == 0, "\(exported.errors)")
            let archived = try marks(inArchive: archive)
            #expect(archived.isOneMoment && archived.low >= last, "\(archived)")
            let checked = try json(try Program.valise("account", "check", account.string, key, "--json"))
            #expect(checked["verdict"] as? String == "whole", "\(checked)")
        }
        for _ in 0..<5 {
            let status = try Program.valise("account", "status", account.string, key)
            #expect(status.status == 0 && !status.output.contains("cannot open"), "\(status.output)")
            let migrations = try Program.valise("migrate", "status", account.string, key)
            #expect(migrations.status == 0 && migrations.errors.contains("; reading a consistent snapshot"))
        }
        #expect(last > 1, "nothing was written meanwhile")
        #expect(try app.end())
        try expectNothingLeft()
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `what a killed program has not committed is not read, while another has the account open`(
        _ journal: UsingApp.Journal
    ) throws {
        let app = try UsingApp(.idle, journal, account)
        _ = try UsingApp(.dying, journal, account)
        if journal == .delete {
            #expect(try fileSystem.exists(account.appending("simplex_v1_chat.db-journal")))
        }
        try readAll(1, app)
        #expect(try app.end())
        #expect(try fileSystem.attributes(of: account.appending("simplex_v1_chat.db-journal")) == nil)
    }

    @Test func `without a passphrase the pages are exported as they are`() throws {
        let app = try UsingApp(.writing, .delete, account)
        let archive = folder.appending("blind.zip")
        let exported = try Program.valise("archive", "export", account.string, archive.string, "--no-input")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try marks(inArchive: archive).isOneMoment)
        #expect(try app.end())
    }

    @Test(arguments: UsingApp.Journal.allCases)
    func `a folder that cannot be written to is read as well`(_ journal: UsingApp.Journal) throws {
        guard geteuid() != 0 else { return }
        let app = try UsingApp(.idle, journal, account)
        #expect(chmod(account.string, 0o500) == 0)
        defer { chmod(account.string, 0o700) }
        let outcome = try Program.valise("account", "sql", account.string, Self.marks, "--attach", key)
        #expect(outcome.status == (journal == .delete ? 0 : 1), "\(outcome.errors)")
        chmod(account.string, 0o700)
        #expect(try app.end())
    }
}
