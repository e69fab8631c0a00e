import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// When `valise` asks for a passphrase at the terminal, and how often.
struct PassphrasePromptTests {
    private let folder: TemporaryFolder

    private static let wrong = "x'" + String(repeating: "00", count: 32) + "'"

    init() throws {
        folder = try TemporaryFolder("valise-prompt", inMemory: true)
        try FileSystem().makeDirectory(folder.appending("home"))
        try FileSystem().replace(folder.appending("key"), with: Array((AccountState.passphrase + "\n").utf8))
        try PreparedAccount.empty(at: account)
    }

    private var account: String { folder.appending("account").string }
    private var environment: [String: String] { ["HOME": folder.appending("home").string] }

    private func typing(_ answers: String..., to arguments: String...) throws -> Program.Outcome {
        try Program.atTerminal(arguments, answers: answers, environment: environment)
    }

    @Test func `a wrong passphrase may be typed three times`() throws {
        let third = try typing(
            Self.wrong, Self.wrong, AccountState.passphrase, to: "account", "check", account)
        #expect(third.status == 0, "\(third.output)")
        #expect(third.output.contains("Wrong passphrase (try 3 of 3)"), "\(third.output)")
        let never = try typing(
            Self.wrong, Self.wrong, Self.wrong, AccountState.passphrase, to: "account", "check", account)
        #expect(never.status == 12 && !never.output.contains("try 4"), "\(never.output)")
    }

    @Test func `a wrong passphrase may be typed three times where the account may be damaged`() throws {
        let saved = folder.appending("saved").string
        for arguments in [["key", "verify", account], ["account", "salvage", account, saved]] {
            let never = try Program.atTerminal(
                arguments, answers: [Self.wrong, Self.wrong, Self.wrong, AccountState.passphrase],
                environment: environment)
            #expect(never.status == 12 && never.output.contains("try 3 of 3"), "\(never.output)")
            #expect(!never.output.contains("try 4"), "\(never.output)")
            if arguments[1] == "salvage" {
                let again = "valise account salvage \(account) \(saved) --repair-salt"
                #expect(never.output.contains("damaged") && never.output.contains(again), "\(never.output)")
            }
            let second = try Program.atTerminal(
                arguments, answers: [Self.wrong, AccountState.passphrase], environment: environment)
            #expect(second.status == 0 && second.output.contains("try 2 of 3"), "\(second.output)")
        }
    }

    @Test func `a prompt says what the passphrase is for`() throws {
        let archive = folder.appending("archive.zip").string
        let exported = try Program.run(
            Program.valise, ["archive", "export", account, archive], environment: environment)
        #expect(exported.status == 0, "\(exported.errors)")
        let cases: [([String], String)] = [
            (["account", "check", account], "check its databases"),
            (["account", "compact", account, "--dry-run"], "compact its databases"),
            (["account", "sql", account, "SELECT 1"], "query its databases"),
            (["media", "audit", account], "check its media"),
            (["media", "encrypt", account], "encrypt its media"),
            (["key", "verify", account], "verify it"),
            (["key", "store", account, "--store", "file", "--dry-run"], "store it in the key store 'file'"),
            (["migrate", "status", account], "open its databases"),
            (["archive", "diff", archive, archive], "compare its databases"),
        ]
        for (arguments, purpose) in cases {
            let asked = try typing([AccountState.passphrase], arguments)
            let name = arguments[1] == "diff" ? archive : account
            #expect(asked.status == 0, "\(arguments): \(asked.output)")
            #expect(asked.output.contains("Passphrase for \(name), to \(purpose): "), "\(asked.output)")
        }
    }

    private func typing(_ answers: [String], _ arguments: [String]) throws -> Program.Outcome {
        try Program.atTerminal(arguments, answers: answers, environment: environment)
    }

    @Test func `the passphrase of an archive that is verified may be typed, or be left out`() throws {
        let archive = folder.appending("archive.zip").string
        let exported = try Program.run(
            Program.valise, ["archive", "export", account, archive], environment: environment)
        #expect(exported.status == 0, "\(exported.errors)")
        let verify = ["archive", "verify", archive]
        let typed = try typing([Self.wrong, AccountState.passphrase], verify)
        #expect(typed.status == 0 && typed.output.contains("the archive is intact"), "\(typed.output)")
        let prompt = "Passphrase for \(archive), to verify its databases (Return to verify the rest): "
        #expect(typed.output.contains(prompt) && typed.output.contains("try 2 of 3"), "\(typed.output)")
        let without = try typing([""], verify)
        #expect(without.status == 0 && without.output.contains("no passphrase given"), "\(without.output)")
        let silent = try typing([], verify + ["--no-input"])
        #expect(silent.status == 0 && !silent.output.contains("Passphrase for"), "\(silent.output)")
        try FileSystem().replace(folder.appending("broken.zip"), with: [1, 2, 3])
        let broken = try typing([], ["archive", "verify", folder.appending("broken.zip").string])
        #expect(broken.status != 0 && !broken.output.contains("Passphrase for"), "\(broken.output)")
    }

    @Test func `nobody is asked where the disk is full`() throws {
        try FileSystem().replace(FilePath(account).pushing("simplex_v1_files/a.txt"), with: [1])
        var full = environment
        full["LD_PRELOAD"] = Preload.compile("smalldisk")
        full["SMALLDISK_FREE"] = "500000"
        for arguments in [
            ["account", "compact", account], ["account", "compact", account, "--dry-run"],
            ["media", "encrypt", account], ["media", "decrypt", account], ["key", "change", account],
            ["account", "create", folder.appending("new").string],
        ] {
            let refused = try Program.atTerminal(arguments, environment: full)
            #expect(refused.status == 15, "\(arguments): \(refused.output)")
            #expect(refused.output.contains("free space on the file system of"), "\(refused.output)")
            #expect(!refused.output.lowercased().contains("passphrase"), "\(refused.output)")
        }
        #expect(try !FileSystem().exists(folder.appending("new")))
    }

    @Test func `nobody is asked where a previous database has the name of the backup`() throws {
        let backup = FilePath(account).appending("simplex_v1_chat.db.bak")
        try FileSystem().replace(backup, with: [1])
        let change = ["key", "change", account, "--keep-backup"]
        for arguments in [change, change + ["--dry-run"]] {
            let refused = try Program.atTerminal(arguments, environment: environment)
            #expect(refused.status == 1, "\(arguments): \(refused.output)")
            #expect(refused.output.contains("a backup with this name already exists"), "\(refused.output)")
            #expect(!refused.output.contains("Passphrase for"), "\(refused.output)")
        }
    }

    @Test func `an answer that comes at once is not shown`() throws {
        let checked = try typing(AccountState.passphrase, to: "account", "check", account)
        #expect(checked.status == 0 && !checked.output.contains("[echo is on]"), "\(checked.output)")
        #expect(!checked.output.contains(AccountState.passphrase), "\(checked.output)")
    }

    @Test func `an archive's passphrase may be typed again as well`() throws {
        let archive = folder.appending("archive.zip").string
        let exported = try Program.run(
            Program.valise, ["archive", "export", account, archive], environment: environment)
        #expect(exported.status == 0, "\(exported.errors)")
        let diff = try typing(Self.wrong, AccountState.passphrase, to: "archive", "diff", archive, archive)
        #expect(diff.status == 0 && diff.output.contains("try 2 of 3"), "\(diff.output)")
    }

    @Test func `the passphrase that shows what an import replaces may be typed again, or be left out`() throws
    {
        let archive = folder.appending("archive.zip").string
        let exported = try Program.run(
            Program.valise, ["archive", "export", account, archive], environment: environment)
        #expect(exported.status == 0, "\(exported.errors)")
        let replace = [
            "archive", "import", archive, account, "--into-existing", "--yes", "--replace-newer",
        ]
        let again = try Program.atTerminal(
            replace, answers: [Self.wrong, AccountState.passphrase], environment: environment)
        #expect(again.status == 0 && again.output.contains("try 2 of 3"), "\(again.output)")
        #expect(again.output.contains("(Return to go by file times): "), "\(again.output)")
        let without = try Program.atTerminal(replace, answers: [Self.wrong, ""], environment: environment)
        #expect(without.status == 0 && !without.output.contains("try 3"), "\(without.output)")
        let never = try Program.atTerminal(
            replace, answers: [Self.wrong, Self.wrong, Self.wrong], environment: environment)
        #expect(never.status == 12 && !never.output.contains("try 4"), "\(never.output)")
    }

    @Test func `a printed sheet is checked with what is typed from it`() throws {
        let sheet = folder.appending("sheet.pdf").string
        let key = "--passphrase-file=\(folder.appending("key"))"
        let drawn = try Program.run(
            Program.valise, ["key", "sheet", account, "-o", sheet, key], environment: environment)
        #expect(
            drawn.output.hasSuffix("run: valise key sheet \(account) --verify\n"), "\(drawn.output)")
        let typed = try typing(
            Self.wrong, AccountState.passphrase, to: "key", "sheet", account, "--verify")
        #expect(typed.status == 0, "\(typed.output)")
        let prompt = "Type the passphrase from the sheet, to compare it with the account: "
        #expect(typed.output.contains(prompt), "\(typed.output)")
    }

    @Test func `a new passphrase is asked for once the current one is right`() throws {
        let refused = try typing(
            Self.wrong, Self.wrong, Self.wrong, "new", "new", to: "key", "change", account)
        #expect(refused.status == 12 && !refused.output.contains("New passphrase"), "\(refused.output)")
        let changed = try typing(
            Self.wrong, AccountState.passphrase, Self.wrong, Self.wrong, to: "key", "change", account)
        #expect(changed.status == 0 && changed.output.contains("New passphrase"), "\(changed.output)")
    }

    @Test func `a dry run asks for the passphrase that opens the account and for no new one`() throws {
        let plan = try typing(AccountState.passphrase, to: "key", "change", account, "--dry-run")
        #expect(plan.status == 0 && !plan.output.contains("New passphrase"), "\(plan.output)")
        #expect(plan.output.contains("would change the passphrase of both databases"), "\(plan.output)")
    }

    @Test func `without a terminal, a dry run needs no new passphrase, and the change does`() throws {
        let change = ["key", "change", account, "--passphrase-file"]
        let key = folder.appending("key").string
        let plan = try Program.run(Program.valise, change + [key, "--dry-run"], environment: environment)
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.hasPrefix("would change the passphrase of both databases\n"), "\(plan.output)")
        let refused = try Program.run(Program.valise, change + [key], environment: environment)
        #expect(refused.status == 64 && refused.errors.contains("a new passphrase is required"))
        let other = folder.appending("other")
        try FileSystem().replace(other, with: Array((Self.wrong + "\n").utf8))
        let wrong = try Program.run(
            Program.valise, change + [other.string, "--dry-run"], environment: environment)
        #expect(wrong.status == 12 && wrong.output.isEmpty, "\(wrong.errors)")
    }

    @Test func `nobody is asked where the operation would be refused anyway`() throws {
        let existing = try typing(to: "account", "create", account)
        #expect(existing.status == 1 && !existing.output.contains("passphrase:"), "\(existing.output)")
        let target = folder.appending("target")
        try FileSystem().makeDirectory(target)
        try FileSystem().replace(target.appending("mine"), with: [])
        let salvage = try typing(to: "account", "salvage", account, target.string)
        #expect(salvage.status == 1 && !salvage.output.contains("Passphrase for"), "\(salvage.output)")
        let send = try typing(to: "move", "send", account)
        #expect(send.status == 64 && !send.output.contains("Passphrase for"), "\(send.output)")
        let file = try typing(to: "account", "create", target.appending("mine").string)
        #expect(file.status == 14 && !file.output.contains("passphrase"), "\(file.output)")
    }

    @Test func `nobody is asked where the output is in the way or its folder is missing`() throws {
        let (file, archive) = (folder.appending("file"), folder.appending("archive.zip").string)
        try FileSystem().replace(file, with: [1])
        let missing = folder.appending("none").appending("a.zip").string
        let exported = try Program.run(
            Program.valise, ["archive", "export", account, archive], environment: environment)
        #expect(exported.status == 0, "\(exported.errors)")
        let cases: [([String], Int32)] = [
            (["media", "export", account, file.string], 14),
            (["media", "export", account, file.appending("below").string], 14),
            (["move", "send", account, "--to", file.string], 1),
            (["move", "send", account, "--to", missing], 10),
            (["move", "send", account, "--to", missing, "--dry-run"], 10),
            (["archive", "export", account, file.appending("a.zip").string, "--dry-run"], 14),
            (["archive", "export", account, file.appending("a.zip").string], 14),
            (["archive", "import", archive, file.appending("a").string], 14),
            (["archive", "export", account, file.string, "--media-since", "2026-01-31"], 1),
            (["archive", "extract", archive, "-C", account, "--decrypt-media"], 1),
            (["key", "sheet", account, "-o", "\(missing).pdf"], 10),
        ]
        for (arguments, status) in cases {
            let refused = try Program.atTerminal(arguments, environment: environment)
            #expect(refused.status == status, "\(arguments): \(refused.status) \(refused.output)")
            #expect(status == 10 || !refused.output.contains("mkdir"), "\(refused.output)")
            #expect(!refused.output.contains("Passphrase for"), "\(refused.output)")
        }
        let moves = try Program.run(Program.valise, ["move", "status"], environment: environment)
        #expect(moves.output == "no moves\n", "\(moves.output)")
    }

    @Test func `nobody is asked for the passphrase of an account that has none`() throws {
        let open = folder.appending("open").string
        let created = try Program.run(
            Program.valise, ["account", "create", open, "--no-encryption", "--yes"], environment: environment)
        #expect(created.status == 0, "\(created.errors)")
        let sheet = folder.appending("sheet.pdf").string
        for arguments in [
            ["sheet", open, "-o", sheet], ["sheet", open, "--verify"], ["store", open, "--store", "file"],
        ] {
            let refused = try Program.atTerminal(["key"] + arguments, environment: environment)
            #expect(refused.status == 64 && refused.output.contains("is not encrypted"), "\(refused.output)")
            #expect(!refused.output.contains("Passphrase for"), "\(refused.output)")
        }
    }

    @Test func `nobody is asked to change a read-only copy`() throws {
        let (archive, copy) = (folder.appending("archive.zip").string, folder.appending("copy").string)
        for arguments in [["export", account, archive], ["import", archive, copy, "--as-archive"]] {
            let done = try Program.run(Program.valise, ["archive"] + arguments, environment: environment)
            #expect(done.status == 0, "\(done.errors)")
        }
        let refused = try typing(to: "key", "change", copy)
        #expect(refused.status == 14 && !refused.output.contains("Passphrase for"), "\(refused.output)")
    }

    @Test func `nobody is asked to change an account that is in use`() throws {
        let exported = folder.appending("exported.zip").string
        let export = ["archive", "export", account, exported]
        #expect(try Program.run(Program.valise, export, environment: environment).status == 0)
        let holder = Process()
        holder.executableURL = URL(filePath: "/bin/sleep")
        holder.arguments = ["60"]
        let database = try FileHandle(forReadingFrom: URL(filePath: "\(account)/simplex_v1_chat.db"))
        holder.standardInput = database
        try holder.start()
        defer { holder.terminate() }
        try database.close()
        let archive = folder.appending("archive.zip").string
        let key = "--passphrase-file=\(folder.appending("key"))"
        let relay = "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@127.0.0.1:5443"
        for arguments in [
            ["account", "compact", account], ["key", "change", account],
            ["move", "send", account, "--to", archive], ["move", "send", account, "--to", archive, key],
            ["move", "send", account, "--to", archive, "--dry-run"],
            ["move", "send", account, "--server", relay],
            ["archive", "import", exported, account, "--into-existing"],
        ] {
            let refused = try Program.atTerminal(arguments, environment: environment)
            #expect(refused.status == 11, "\(refused.output)")
            #expect(!refused.output.contains("Passphrase for"), "\(refused.output)")
        }
        // What was refused is no move.
        let moves = try Program.run(Program.valise, ["move", "status"], environment: environment)
        #expect(moves.output == "no moves\n", "\(moves.output)")
        let jobs = try Program.run(Program.valise, ["jobs", "list", "--json"], environment: environment)
        #expect(!jobs.output.contains("move.send"), "\(jobs.output)")
    }
}
