import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// The program as a user runs it: what it prints, and what it ends with.
struct CommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    /// A raw key needs no derivation, so the tests are fast.
    private static let passphrase = "x'" + String(repeating: "5a", count: 32) + "'"

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array((Self.passphrase + "\n").utf8))
    }

    private var account: String { folder.appending("account").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    private func create() throws {
        try PreparedAccount.empty(at: account)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    // MARK: The main job

    @Test func `creates, exports, lists, imports and tells the state`() throws {
        try create()
        let archive = folder.appending("a.zip").string
        let exported = try Program.valise("archive", "export", account, archive, key, "--json")
        #expect(exported.status == 0)
        #expect(try json(exported)["type"] as? String == "archiveExported")
        #expect((try json(exported)["archiveErrors"] as? [Any])?.isEmpty == true)
        let list = try json(try Program.valise("archive", "list", archive, "--json"))
        #expect(list["isAccount"] as? Bool == true)

        let copy = folder.appending("copy").string
        let imported = try Program.valise("archive", "import", archive, copy, key)
        #expect(imported.status == 0)
        #expect(imported.errors.isEmpty)
        let status = try json(try Program.valise("account", "status", copy, key, "--json", "--exit-code"))
        let chat = try #require(status["chat"] as? [String: Any])
        #expect(chat["access"] as? String == "opened")
        #expect((chat["schema"] as? [String: Any])?["origin"] as? String == "valise")

        let again = try Program.valise("archive", "import", archive, copy, key)
        #expect(again.status == 1)
        #expect(again.errors.contains("--into-existing"))
        #expect(
            try Program.valise("archive", "import", archive, copy, key, "--into-existing", "--yes").status
                == 0)
    }

    @Test func `salvages a damaged account, and says with its status whether something is lost`() throws {
        try create()
        let saved = folder.appending("saved").string
        let whole = try Program.valise("account", "salvage", account, saved, key, "--json")
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try json(whole)["type"] as? String == "accountSalvaged")
        #expect(try Program.valise("account", "status", saved, key, "--exit-code").status == 0)

        let chat = folder.appending("account").appending("simplex_v1_chat.db")
        var bytes = try fileSystem.contents(of: chat, limit: 1 << 28)
        for page in 1..<(bytes.count / 4096) { bytes[page * 4096 + 100] ^= 1 }
        try fileSystem.replace(chat, with: bytes)
        let dry = try Program.valise(
            "account", "salvage", account, folder.appending("dry").string, key, "--dry-run")
        #expect(dry.status == 3)
        #expect(dry.output.contains("damaged pages"))
        #expect(try !fileSystem.exists(folder.appending("dry")))
        let wrong = try Program.valise(
            "account", "salvage", account, folder.appending("wrong").string, "--passphrase-command", "echo no"
        )
        #expect(wrong.status == 12)
        #expect(wrong.errors.contains("first 16 bytes"))
    }

    @Test func `a salvage that tried other salts does not advise that it try them`() throws {
        try create()
        let wrong = folder.appending("wrong")
        try fileSystem.replace(wrong, with: Array("x'\(String(repeating: "00", count: 32))'".utf8))
        func salvage(_ passphrase: String, _ more: String...) throws -> Program.Outcome {
            try Program.run(
                Program.valise,
                ["account", "salvage", account, folder.appending("saved").string, passphrase, "--dry-run"]
                    + more)
        }
        let advised = try salvage("--passphrase-file=\(wrong)")
        #expect(
            advised.status == 12 && advised.errors.contains("/saved --repair-salt --passphrase-file"),
            "\(advised.errors)")
        let tried = try salvage("--passphrase-file=\(wrong)", "--repair-salt")
        #expect(
            tried.status == 12 && tried.errors.contains("more than one bit of the salt"), "\(tried.errors)")
        #expect(!tried.errors.contains("--repair-salt") && !tried.errors.contains("hint:"), "\(tried.errors)")

        // One database is opened, and of the other every byte is another.
        let agent = folder.appending("account").appending("simplex_v1_agent.db")
        let bytes = try fileSystem.contents(of: agent, limit: 1 << 28)
        try fileSystem.replace(agent, with: bytes.map { ~$0 })
        let half = try salvage(key)
        #expect(
            half.status == 3 && half.output.contains("/saved --repair-salt --passphrase-file"),
            "\(half.output)")
        #expect(half.output.contains("apps cannot use this account"), "\(half.output)")
        let halfTried = try salvage(key, "--repair-salt")
        #expect(halfTried.status == 3, "\(halfTried.errors)")
        #expect(
            halfTried.output.contains("agent: not recovered: wrong passphrase, or more than one damaged bit"))
        #expect(!halfTried.output.contains("--repair-salt"), "\(halfTried.output)")
    }

    @Test(.enabled(if: Program.tool("sqlcipher") != nil))
    func `what it makes passes SQLCipher's own checks`() throws {
        try create()
        for name in ["chat", "agent"] {
            let shell = try #require(Program.tool("sqlcipher"))
            let sql = """
                PRAGMA key = "\(Self.passphrase)"; PRAGMA cipher_integrity_check; PRAGMA integrity_check;
                SELECT count(*) > 10 FROM migrations;
                """
            let answer = try Program.run(shell, ["\(account)/simplex_v1_\(name).db", sql])
            #expect(answer.output == "ok\nok\n1\n", "\(name): \(answer.errors)")
        }
    }

    @Test func `an official database is recognised and not touched`() throws {
        let fixture = Repository.beside("Fixtures/fresh-agent.db")
        try fileSystem.makeDirectory(folder.appending("official"))
        let agent = folder.appending("official/simplex_v1_agent.db")
        try fileSystem.copy(FilePath(fixture.path), to: agent)
        try fileSystem.replace(folder.appending("word"), with: Array("passphrase".utf8))
        let word = "--passphrase-file=\(folder.appending("word"))"
        let before = try TemporaryFolder.contents(of: folder.appending("official"))

        let directory = folder.appending("official").string
        let status = try json(try Program.valise("account", "status", directory, word, "--json"))
        let schema = (status["agent"] as? [String: Any])?["schema"] as? [String: Any]
        #expect(schema?["origin"] as? String == "official")
        #expect(schema?["applied"] as? Int == 44)
        #expect(schema?["newest"] as? String == "m20260410_receive_attempts")
        #expect((schema?["unknown"] as? [Any])?.isEmpty == true)
        let text = try Program.valise("account", "status", directory, word)
        #expect(text.output.contains("official schema, 44 migrations"))

        #expect(try Program.valise("migrate", "run", directory, word, "--confirm", "yesUp").status == 10)
        #expect(
            try Program.valise("archive", "export", directory, folder.appending("o.zip").string).status == 10)
        #expect(try TemporaryFolder.contents(of: folder.appending("official")) == before)
    }

    // MARK: Exit statuses

    @Test func `each kind of failure has its status and one sentence`() throws {
        try create()
        let other = folder.appending("other")
        try fileSystem.replace(other, with: Array("x'\(String(repeating: "00", count: 32))'".utf8))
        try fileSystem.replace(
            folder.appending("text.zip"), with: Array("no zip at all, but long enough".utf8))
        let archive = folder.appending("b.zip").string
        let cases: [([String], Int32)] = [
            (["account", "status", folder.appending("nowhere").string], 10),
            (["archive", "list", folder.appending("nowhere.zip").string], 10),
            (["account", "status", account, "--passphrase-file=\(other)"], 12),
            (["archive", "export", account, archive, "--passphrase-file=\(other)"], 12),
            (["migrate", "plan", account, "--passphrase-file=\(other)"], 12),
            (["archive", "list", folder.appending("text.zip").string], 13),
            (["archive", "import", folder.appending("text.zip").string, folder.appending("n").string], 13),
            (["migrate", "plan", account, "--no-input"], 64),
            (["account", "create", account, "--unknown"], 64),
            (["account", "create", account, key, "--quiet"], 1),
            (["migrate", "rollback", account], 10),
        ]
        for (arguments, status) in cases {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            if status != 64, !outcome.errors.isEmpty {
                // What to do about it has lines of its own.
                let sentences = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
                #expect(sentences.count == 1, "\(arguments): \(outcome.errors)")
            }
            #expect(!outcome.errors.contains("5a5a") && !outcome.output.contains("5a5a"))
        }
        let asJSON = try json(
            try Program.valise("archive", "list", folder.appending("text.zip").string, "--json"))
        #expect(asJSON["type"] as? String == "error")
        #expect(asJSON["exitStatus"] as? Int == 13)
        #expect(try !fileSystem.exists(folder.appending("n")))
    }

    @Test func `work that is due is told by the status where that is asked`() throws {
        try create()
        #expect(try Program.valise("account", "status", account, key, "--exit-code").status == 0)
        let down = try Program.valise(
            "migrate", "run", account, key, "--to-chat", "0010_forwarding", "--confirm", "yesUpDown")
        #expect(down.status == 0, "\(down.errors)")
        #expect(try Program.valise("account", "status", account, key, "--exit-code").status == 20)
        let kept = try Program.valise("account", "status", account, key)
        #expect(kept.status == 0 && kept.output.contains("valise migrate confirm"), "\(kept.output)")
        // It would refuse that as long as the previous databases are kept.
        #expect(!kept.output.contains("valise migrate run"), "\(kept.output)")
        let refused = try Program.valise(
            "migrate", "run", account, key, "--confirm", "error", "--json", "--json-form", "single-field")
        #expect(refused.status == 1)
        #expect(refused.output.hasPrefix(#"{"_owsf":true,"errorMigration":{"dbFile":""#))
        try fileSystem.replace(folder.appending("other"), with: Array("wrong".utf8))
        let wrong = try Program.valise(
            "migrate", "run", account, "--passphrase-file=\(folder.appending("other"))", "--confirm", "yesUp",
            "--json")
        #expect(wrong.status == 12)
        #expect(
            wrong.output == #"{"dbFile":"\#(account)/simplex_v1_chat.db","type":"errorNotADatabase"}"# + "\n")
        let invalid = try Program.valise("migrate", "run", account, key, "--confirm", "perhaps", "--json")
        #expect(invalid.output == "{\"type\":\"invalidConfirmation\"}\n")
    }

    @Test func `a database that another program has open is in use: it is read, and not changed`() throws {
        try create()
        let python = try #require(Program.tool("python3"))
        let holder = Process()
        holder.executableURL = URL(filePath: python)
        holder.arguments =
            ["-c", "import sys; f = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"]
            + ["\(account)/simplex_v1_chat.db"]
        let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
        holder.standardInput = input
        holder.standardOutput = output
        try holder.start()
        #expect(output.fileHandleForReading.availableData.starts(with: Data("open".utf8)))
        for arguments in [
            ["migrate", "run", account, key, "--confirm", "yesUp"],
            ["account", "recover", account],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == 11)
            #expect(outcome.errors.contains("python"))
            #expect(outcome.errors.contains("\(holder.processIdentifier)"))
        }
        let export = try Program.valise("archive", "export", account, folder.appending("u.zip").string)
        #expect(export.status == 0 && export.errors.contains("python"), "\(export.errors)")
        let status = try json(try Program.valise("account", "status", account, key, "--json"))
        #expect((status["inUse"] as? String)?.contains("python") == true)
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try Program.valise("account", "recover", account).status == 0)
    }

    @Test func `a recovery that finds nothing to do does not call a broken account intact`() throws {
        try create()
        let database = FilePath("\(account)/simplex_v1_chat.db")
        let text =
            "\(account): no interrupted operation found; nothing was changed\n"
            + "hint: to check for damage, run: valise account check \(account)\n"
        try fileSystem.replace(database, with: [UInt8](repeating: 7, count: 8192))
        let broken = try Program.valise("account", "recover", account)
        #expect(broken.status == 0 && broken.output == text, "\(broken.output)\(broken.errors)")
        try fileSystem.remove(database)
        let missing = try Program.valise("account", "recover", account)
        #expect(missing.status == 0 && missing.output == text, "\(missing.output)\(missing.errors)")
    }

    // MARK: Passphrases

    @Test func `a passphrase comes from a file, a command or a descriptor`() throws {
        try create()
        let fromCommand = try Program.valise(
            "migrate", "status", account, "--passphrase-command", "cat \(folder.appending("key"))")
        #expect(fromCommand.status == 0)
        let shell = try Program.run(
            "/bin/sh",
            [
                "-c",
                "\(Program.valise) migrate status \(account) --passphrase-fd 7 7< \(folder.appending("key"))",
            ])
        #expect(shell.status == 0)
        #expect(
            try Program.valise("migrate", "status", account, "--passphrase-command", "exit 3").status == 1)
        #expect(try Program.valise("migrate", "status", account, key, "--passphrase-fd", "7").status == 64)
    }

    @Test func `asks at the terminal without showing the answer`() throws {
        let python = try #require(Program.tool("python3"))
        let script = Repository.beside("Support/at-terminal.py").path
        let marker = "marker-\(UInt64.random(in: 1 << 60...UInt64.max))"
        let created = try Program.run(
            python, [script, marker, marker, "--", Program.valise, "account", "create", account])
        #expect(created.status == 0, "\(created.output)")
        #expect(
            created.output.contains(
                "New passphrase, to encrypt both databases (leave empty to generate one):"))
        #expect(!created.output.contains(marker))
        let asked = try Program.run(
            python, [script, marker, "--", Program.valise, "migrate", "status", account])
        #expect(asked.output.contains("valise schema"))
        #expect(!asked.output.contains(marker))

        let differs = try Program.run(
            python,
            [script, "weak", marker, "\(marker)!", "password", "--", Program.valise, "account", "create"]
                + [account + "2"])
        #expect(
            differs.status == 64
                && differs.output.contains("Too easy to guess: add words that do not belong together."),
            "\(differs.output)")
        #expect(differs.output.contains("do not match"), "\(differs.output)")
        #expect(try !fileSystem.exists(folder.appending("account2")))
        let no = try Program.run(
            python,
            [script, "n", "--", Program.valise, "account", "create", account + "3", "--no-encryption"])
        #expect(no.status == 1)
        let yes = try Program.run(
            python,
            [script, "y", "--", Program.valise, "account", "create", account + "3", "--no-encryption"])
        #expect(yes.status == 0, "\(yes.output)")
        #expect(try Program.valise("account", "create", account + "4", "--no-encryption").status == 64)
    }

    private static let badClose = Preload.compile("badclose")

    /// Its number may be that of another thread's file by then.
    @Test(.enabled(if: badClose != nil, "needs a C compiler on Linux"))
    func `no descriptor is closed twice, in an account that is in use neither`() throws {
        let library = try #require(Self.badClose)
        try create()
        let report = folder.appending("report")
        func export() throws -> Int32 {
            try Program.run(
                Program.valise, ["archive", "export", account, folder.appending("a.zip").string, key],
                environment: ["LD_PRELOAD": library, "BADCLOSE_REPORT": report.string]
            ).status
        }
        let lock = try DirectoryLock(FilePath(account), .exclusive)
        #expect(try export() == 11)
        withExtendedLifetime(lock) {}
        #expect(try !fileSystem.exists(report))
        _ = consume lock
        #expect(try export() == 0)
        #expect(try !fileSystem.exists(report))
    }

    @Test func `an interrupt ends it with 130 and leaves nothing`() throws {
        let process = Process()
        process.executableURL = URL(filePath: Program.valise)
        let asked = FilePath(account + ".asked")
        process.arguments = [
            "account", "create", account, "--passphrase-command",
            "echo $$ > '\(asked).new'; mv '\(asked).new' '\(asked)'; exec sleep 60",
        ]
        process.standardError = FileHandle.nullDevice
        try process.start()
        for _ in 0..<1000 where try !fileSystem.exists(asked) { Thread.sleep(forTimeInterval: 0.05) }
        process.interrupt()
        // The sleeper keeps what Foundation waits for, and would end in a minute.
        for _ in 0..<200 where isRunning(process.processIdentifier) { Thread.sleep(forTimeInterval: 0.05) }
        #expect(!isRunning(process.processIdentifier))
        let sleeper = String(decoding: try fileSystem.contents(of: asked, limit: 100), as: UTF8.self)
        kill(try #require(pid_t(sleeper.dropLast())), SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(try !fileSystem.exists(FilePath(account)))
    }

    /// Whether a child has not ended yet, waited for or not.
    private func isRunning(_ process: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
            return false
        }
        return !status.contains(") Z ")
    }

    // MARK: Help

    @Test func `a schema is printed by the name of its document`() throws {
        let names = try Program.valise("schema").output.split(separator: "\n").map(String.init)
        #expect(names.count > 80 && names == names.sorted())
        for name in ["accountStatus", "error", "status", "migrationResult"] {
            #expect(names.contains(name))
            let schema = try json(Program.valise("schema", name))
            #expect(schema["title"] as? String == name)
        }
        let unknown = try Program.valise("schema", "nothing")
        #expect(unknown.status == 10)
        #expect(unknown.errors.contains("valise schema"))
    }

    @Test func `help reaches every command, and each has a manual page`() throws {
        let dump = try Program.valise("--experimental-dump-help")
        let tree = try #require(try json(dump)["command"] as? [String: Any])
        let root = Repository.root
        var count = 0
        func walk(_ command: [String: Any], _ path: [String]) throws {
            let help = try Program.run(Program.valise, path + ["--help"])
            #expect(help.status == 0 && help.output.contains("USAGE: "))
            let page = (["valise"] + path).joined(separator: "-")
            #expect(FileManager.default.fileExists(atPath: root.appending(path: "man/\(page).1").path))
            count += 1
            for child in command["subcommands"] as? [[String: Any]] ?? [] {
                guard let name = child["commandName"] as? String, name != "help" else { continue }
                try walk(child, path + [name])
            }
        }
        try walk(tree, [])
        #expect(count > 12)
    }

    @Test(.enabled(if: Program.tool("man") != nil))
    func `the manual pages are well formed`() throws {
        let root = Repository.url("man")
        let man = try #require(Program.tool("man"))
        for page in try FileManager.default.contentsOfDirectory(atPath: root.path) {
            let shown = try Program.run(
                man, ["--warnings", "-l", root.appending(path: page).path],
                environment: ["MANPAGER": "cat", "MANWIDTH": "90", "LC_ALL": "C.UTF-8"])
            #expect(shown.status == 0)
            #expect(shown.errors.isEmpty, "\(page): \(shown.errors)")
            // Pages of formats and the guide are of no command.
            guard page.hasSuffix(".1") else { continue }
            for section in ["EXIT STATUS", "EXAMPLES"] { #expect(shown.output.contains(section)) }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there are completions`(shell: String) throws {
        let script = try Program.valise("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains("passphrase-file"))
    }
}
