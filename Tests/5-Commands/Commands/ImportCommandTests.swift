import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise archive import` as a user runs it.
struct ImportCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: String { folder.appending("account").string }
    private var archive: String { folder.appending("a.zip").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account)
        #expect(try Program.valise("archive", "export", account, archive, "--quiet").status == 0)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome.output) \(outcome.errors)")
    }

    private func run(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["archive", "import", archive] + arguments)
    }

    /// Something that happened after the archive was made.
    private func proceed() throws {
        let shell = try #require(Program.tool("sqlcipher"))
        let sql = """
            PRAGMA key = "\(AccountState.passphrase)";
            INSERT INTO messages (msg_sent, chat_msg_event, created_at) VALUES (1, 'x', '2099-01-01 00:00:00');
            """
        #expect(try Program.run(shell, ["\(account)/simplex_v1_chat.db", sql]).status == 0)
    }

    @Test func `with --quiet nothing is said of databases that were not opened`() throws {
        let said = "databases not opened"
        for (options, isSaid) in [([], true), (["--quiet"], false)] {
            let export = try Program.run(
                Program.valise, ["archive", "export", account, archive, "--force", "--no-input"] + options)
            #expect(export.status == 0 && export.output.contains(said) == isSaid, "\(export.output)")
        }
    }

    @Test func `a dry run tells the effects in both forms and ends as the import would`() throws {
        let before = try TemporaryFolder.contents(of: folder.path)
        let plan = try run(account, key, "--dry-run", "--into-existing", "--keep-previous", "alt")
        #expect(plan.status == 0 && plan.errors.isEmpty, "\(plan.errors)")
        #expect(plan.output.contains("nothing was changed"))
        #expect(plan.output.contains("up to date"))
        let document = try json(run(account, key, "--dry-run", "--into-existing", "--json"))
        #expect(document["type"] as? String == "archiveImportPlan")
        #expect(document["schema"] as? String == "current")
        #expect((document["age"] as? [String: Any])?["verdict"] as? String == "same")
        let closed = try json(run(account, "--dry-run", "--into-existing", "--json"))
        #expect(closed["schema"] == nil && closed["databasesOpened"] as? Bool == false)
        #expect(try run(account, "--dry-run").status == 1)
        #expect(try run(account, "--dry-run", "--into-existing", "--max-size", "100").status == 15)
        #expect(try run(account, "--keep-previous", "alt").status == 64)
        #expect(try run(account, "--into-existing", "--keep-previous", "a/b").status == 64)
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
    }

    @Test(.enabled(if: Program.tool("sqlcipher") != nil))
    func `an older archive is announced before and after, and the newer account is kept`() throws {
        try proceed()
        let before = try TemporaryFolder.contents(of: folder.path)
        for options in [["--dry-run"], ["--dry-run", "--json"], ["--dry-run", "--quiet"], ["--quiet"], []] {
            let refused = try Program.run(
                Program.valise,
                ["archive", "import", archive, account, key, "--into-existing", "--yes"] + options)
            #expect(refused.status == 1, "\(options)")
            #expect(
                refused.errors.contains("older than the account it would replace"), "\(refused.errors)")
            #expect(refused.errors.contains("Nothing was changed"), "\(refused.errors)")
            #expect(try TemporaryFolder.contents(of: folder.path) == before, "\(options)")
        }
        let planned = try run(
            account, key, "--into-existing", "--keep-previous", "alt", "--dry-run", "--quiet")
        #expect(planned.status == 0 && planned.errors.contains("older"), "\(planned.errors)")
        let done = try run(account, key, "--into-existing", "--keep-previous", "alt", "--json")
        #expect(done.status == 0)
        #expect(done.errors.contains("older than the account it replaced, judging by the newest message"))
        let report = try json(done)
        #expect((report["age"] as? [String: Any])?["evidence"] as? String == "messages")
        let kept = try #require((report["keptFormer"] as? [String: Any])?["directory"] as? String)
        #expect(try Program.valise("account", "status", kept, key, "--exit-code").status == 0)
        #expect(try Program.valise("account", "status", account, key).status == 0)
        let again = try run(account, key, "--into-existing", "--keep-previous", "alt")
        #expect(again.status == 1 && again.errors.contains("already exists"))
        try proceed()
        let given = try run(account, key, "--into-existing", "--replace-newer", "--quiet", "--yes")
        #expect(given.status == 0 && given.errors.contains("older than the account"), "\(given.errors)")
    }

    @Test func `a copy to read does not take the place of an account that is not kept`() throws {
        for options in [[], ["--dry-run"]] {
            let refused = try Program.run(
                Program.valise,
                ["archive", "import", archive, account, key, "--into-existing", "--as-archive"] + options)
            #expect(refused.status == 64 && refused.errors.contains("another folder"), "\(refused.errors)")
        }
        #expect(try run(account, key, "--as-archive").status == 1)
        let kept = try run(account, key, "--into-existing", "--as-archive", "--keep-former", "alt")
        #expect(kept.status == 0 && kept.errors.contains("--keep-previous"), "\(kept.errors)")
    }

    @Test(.enabled(if: Program.tool("sqlcipher") != nil))
    func `the stored passphrase of the account tells the age`() throws {
        try proceed()
        let home = ["XDG_DATA_HOME": folder.appending("data").string]
        let stored = try Program.valise(
            "key", "store", account, key, "--store", "file", "--quiet", environment: home)
        #expect(stored.status == 0, "\(stored.errors)")
        for (options, evidence) in [(["--key-store", "file"], "messages"), (["--no-key-store"], "times")] {
            let plan = try Program.run(
                Program.valise,
                ["archive", "import", archive, account, "--into-existing", "--dry-run", "--json"] + options,
                environment: home)
            let age = try #require(try json(plan)["age"] as? [String: Any])
            let expected = age["verdict"] as? String == "unknown" ? nil : evidence
            #expect(age["evidence"] as? String == expected, "\(options) \(plan.output)")
            if evidence == "messages" { #expect(expected == "messages") }
        }
    }

    /// Flips bits of the archive behind a place, in both headers and data alike.
    private func changeArchive(_ body: (inout [UInt8]) -> Void) throws {
        let path = folder.appending("a.zip")
        var bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        body(&bytes)
        try fileSystem.replace(path, with: bytes)
    }

    @Test func `a damaged page is refused, and --allow-damaged imports it and lists it`() throws {
        let chat = folder.appending("account/simplex_v1_chat.db")
        var bytes = try fileSystem.contents(of: chat, limit: 1 << 26)
        bytes[9 * 4096 + 50] ^= 1
        try fileSystem.replace(chat, with: bytes)
        #expect(try Program.valise("archive", "export", account, archive, "--force", "--quiet").status == 0)
        let target = folder.appending("fresh").string
        for options in [["--dry-run"], []] {
            let refused = try Program.run(
                Program.valise, ["archive", "import", archive, target, key] + options)
            #expect(refused.status == 13 && refused.errors.contains("page 10"), "\(refused.errors)")
            #expect(refused.errors.contains("--allow-damaged"))
        }
        #expect(try !fileSystem.exists(folder.appending("fresh")))
        let taken = try run(target, key, "--allow-damaged")
        #expect(taken.status == 3 && taken.errors.contains("page 10"), "\(taken.errors)")
        let document = try json(run(folder.appending("again").string, key, "--allow-damaged", "--json"))
        #expect(document["outlook"] as? String == "refused")
        #expect(try Program.valise("account", "check", target, key).status == 13)
    }

    @Test func `what --allow-damaged does not cover is said, and a salvage is suggested`() throws {
        try changeArchive { $0[20_000] ^= 1 }
        let refused = try run(folder.appending("fresh").string, key)
        #expect(refused.status == 13 && !refused.errors.contains("archive salvage"), "\(refused.errors)")
        let allowed = try run(folder.appending("fresh").string, key, "--allow-damaged")
        #expect(allowed.status == 13, "\(allowed.errors)")
        #expect(
            allowed.errors.contains("checksum mismatch. --allow-damaged does not cover this.\nhint: "),
            "\(allowed.errors)")
        let target = folder.appending("a-salvaged.zip")
        #expect(allowed.errors.contains("valise archive salvage \(archive) \(target) "), "\(allowed.errors)")
    }

    @Test
    func `an entry that the directory does not name is refused, listed with a warning, and taken if allowed`()
        throws
    {
        // A local header of a chat database without bytes, before the directory.
        let name = Array("simplex_v1_chat.db".utf8)
        let header: [UInt8] =
            [0x50, 0x4b, 3, 4, 20, 0, 0, 8] + [UInt8](repeating: 0, count: 18) + [UInt8(name.count), 0, 0, 0]
            + name
        try changeArchive { bytes in
            let end = bytes.count - 22
            let start = (0..<4).reduce(0) { $0 | Int(bytes[end + 16 + $1]) << (8 * $1) }
            let moved = start + header.count
            for byte in 0..<4 { bytes[end + 16 + byte] = UInt8(truncatingIfNeeded: moved >> (8 * byte)) }
            bytes.insert(contentsOf: header, at: start)
        }
        let target = folder.appending("fresh").string
        let refused = try run(target, key)
        #expect(refused.status == 14 && refused.errors.contains("'simplex_v1_chat.db'"), "\(refused.errors)")
        #expect(refused.errors.contains("--allow-hidden-entries"))
        let verified = try Program.valise("archive", "verify", archive, key)
        #expect(verified.status == 14 && verified.output.contains("BAD   hidden"), "\(verified.output)")
        let listed = try Program.valise("archive", "list", archive)
        #expect(
            listed.status == 0 && listed.errors.contains("not listed in the directory"), "\(listed.errors)")
        #expect(try run(target, key, "--allow-hidden-entries").status == 0)
    }

    @Test func `into an empty folder one sentence tells what to think of`() throws {
        let fresh = try run(folder.appending("fresh").string, key)
        #expect(fresh.status == 0 && fresh.errors.isEmpty)
        #expect(fresh.output.contains("used elsewhere"))
    }

    @Test func `a copy to read is read by all and changed by none`() throws {
        let copy = folder.appending("copy").string
        #expect(try run(copy, key, "--as-archive").output.contains("read-only"))
        let before = try TemporaryFolder.contents(of: folder.appending("copy"))
        for arguments in [
            ["account", "compact", copy, key], ["migrate", "run", copy, key, "--confirm", "yesUp"],
            ["migrate", "rollback", copy, "--yes"], ["migrate", "confirm", copy],
            ["media", "encrypt", copy, key],
            ["media", "decrypt", copy, key], ["media", "purge", copy, key], ["key", "upgrade", copy, key],
            ["key", "change", copy, key, "--decrypt", "--yes"],
            ["archive", "import", archive, copy, key, "--into-existing", "--yes"],
            ["archive", "import", archive, copy, key, "--into-existing", "--dry-run"],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == 14, "\(arguments): \(outcome.errors)")
            #expect(
                outcome.errors.contains("imported as a read-only archive"), "\(arguments): \(outcome.errors)")
        }
        let export = folder.appending("copy.zip").string
        for arguments in [
            ["account", "check", copy, key], ["account", "recover", copy],
            ["account", "sql", copy, key, "SELECT 1"], ["media", "audit", copy, key],
            ["archive", "export", copy, export, key],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        }
        let status = try Program.valise("account", "status", copy, key, "--exit-code")
        #expect(status.status == 0 && status.output.contains("read-only from a.zip"), "\(status.output)")
        #expect(try TemporaryFolder.contents(of: folder.appending("copy")) == before)
    }
}
