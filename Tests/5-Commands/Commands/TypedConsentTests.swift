import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// What cannot be undone is confirmed by the account folder's name, typed at a terminal.
struct TypedConsentTests {
    private let folder: TemporaryFolder
    private let account: String
    private let key: String

    init() throws {
        folder = try TemporaryFolder("valise-consent")
        account = folder.appending("laptop").string
        let file = folder.appending("key")
        try FileSystem().replace(file, with: Array(AccountState.passphrase.utf8))
        key = "--passphrase-file=\(file)"
        try PreparedAccount.empty(at: account)
    }

    private func typing(_ answers: String..., as arguments: String...) throws -> Program.Outcome {
        try Program.atTerminal(arguments, answers: answers, environment: [:])
    }

    @Test func `only the name removes the encryption`() throws {
        let before = try TemporaryFolder.contents(of: FilePath(account))
        for answer in ["y", "yes", "lap top", ""] {
            let refused = try typing(answer, as: "key", "change", account, key, "--decrypt")
            #expect(refused.status == 1 && refused.output.contains("Type laptop to confirm:"))
            #expect(refused.output.contains("not confirmed. Nothing was changed."), "\(refused.output)")
            #expect(try TemporaryFolder.contents(of: FilePath(account)) == before)
        }
        let done = try typing("laptop", as: "key", "change", account, key, "--decrypt")
        #expect(done.status == 0, "\(done.output)")
    }

    @Test func `an account is replaced after its name was typed, and a new one without a question`() throws {
        let archive = folder.appending("a.zip").string
        #expect(try Program.valise("archive", "export", account, archive, key).status == 0)
        let unasked = try Program.valise(
            "archive", "import", archive, account, key, "--into-existing", "--no-input")
        #expect(unasked.status == 64 && unasked.errors.contains("hint: to confirm, add --yes"))
        let done = try typing("laptop", as: "archive", "import", archive, account, key, "--into-existing")
        #expect(done.status == 0 && done.output.contains("This replaces the account in"), "\(done.output)")
        let other = folder.appending("other").string
        #expect(
            try Program.valise("archive", "import", archive, other, key, "--into-existing", "--no-input")
                .status == 0)
    }

    @Test func `an import that would be refused asks nothing`() throws {
        let archive = folder.appending("a.zip")
        #expect(try Program.valise("archive", "export", account, archive.string, key).status == 0)
        let (wrong, broken) = (folder.appending("wrong"), folder.appending("broken.zip"))
        try FileSystem().replace(wrong, with: Array("another passphrase".utf8))
        try FileSystem().replace(broken, with: [1, 2, 3])
        let before = try TemporaryFolder.contents(of: FilePath(account))
        for (file, passphrase, status) in [
            (archive, "--passphrase-file=\(wrong)", 12), (broken, key, 13),
            (folder.appending("missing.zip"), key, 10),
        ] {
            let refused = try typing(
                "laptop", as: "archive", "import", file.string, account, passphrase, "--into-existing")
            #expect(refused.status == status, "\(file): \(refused.output)")
            #expect(!refused.output.contains("to confirm:"), "\(refused.output)")
            #expect(try TemporaryFolder.contents(of: FilePath(account)) == before)
        }
        let declined = try typing(
            "y", as: "archive", "import", archive.string, account, key, "--into-existing")
        #expect(declined.status == 1 && declined.output.contains("Type laptop to confirm:"))
        #expect(declined.output.contains("not confirmed. Nothing was changed."), "\(declined.output)")
        #expect(try TemporaryFolder.contents(of: FilePath(account)) == before)
    }

    @Test func `the databases from before a migration are removed after a question, by scripts without one`()
        throws
    {
        let kept = { try FileSystem().list(FilePath(account)).count }
        let down = ["migrate", "run", account, key, "--to-chat", "0020_channels", "--confirm", "yesUpDown"]
        #expect(try Program.run(Program.valise, down).status == 0)
        let before = try kept()
        let refused = try typing("y", as: "migrate", "confirm", account)
        #expect(refused.status == 1 && refused.output.contains("Type laptop to confirm:"))
        #expect(refused.output.contains("not confirmed. Nothing was changed."), "\(refused.output)")
        #expect(try kept() == before)
        let done = try typing("laptop", as: "migrate", "confirm", account)
        #expect(done.status == 0, "\(done.output)")
        #expect(try kept() < before)
        let unasked = try Program.atTerminal(["migrate", "confirm", account, "--yes"], environment: [:])
        #expect(!unasked.output.contains("to confirm:"), "\(unasked.output)")
    }

    /// Expects a refusal that names --yes, on a terminal and without one.
    private func expectRefusal(of arguments: [String]) throws {
        let before = try TemporaryFolder.contents(of: FilePath(account))
        for outcome in [
            try Program.run(Program.valise, arguments), try Program.atTerminal(arguments, environment: [:]),
        ] {
            let text = (outcome.output + outcome.errors).replacing("\r\n", with: "\n")
            #expect(outcome.status == 64, "\(arguments): \(text)")
            #expect(text.contains(" requires confirmation. Nothing was changed.\n"), "\(text)")
            #expect(text.contains("to confirm, add --yes"), "\(text)")
        }
        #expect(try TemporaryFolder.contents(of: FilePath(account)) == before)
    }

    @Test func `with --no-input a question is refused, on a terminal and without one`() throws {
        let down = ["migrate", "run", account, key, "--to-chat", "0020_channels"]
        try expectRefusal(of: down + ["--no-input"])
        #expect(try Program.run(Program.valise, down + ["--confirm", "yesUpDown"]).status == 0)
        for command in ["confirm", "rollback"] {
            try expectRefusal(of: ["migrate", command, account, "--no-input"])
        }
        // A script is not asked, and goes on.
        let done = try Program.valise("migrate", "confirm", account)
        #expect(done.status == 0, "\(done.errors)")
    }

    @Test func `a dry run asks nothing and changes nothing`() throws {
        let before = try TemporaryFolder.contents(of: folder.path)
        let secret = folder.appending("secret").string
        for (arguments, line) in [
            (["key", "generate", "--to", secret], "would create \(secret)\n"),
            (["account", "recover", account], "nothing would change\n"),
            (["key", "change", account, key, "--decrypt", "--no-input"], "would decrypt both databases\n"),
            (["file", "encrypt", anyFile, secret], "would create \(secret)\n"),
        ] {
            let planned = try Program.run(Program.valise, arguments + ["--dry-run"])
            #expect(planned.status == 0 && planned.output.contains(line), "\(arguments): \(planned.errors)")
            #expect(try TemporaryFolder.contents(of: folder.path) == before, "\(arguments)")
        }
        let document = try Program.run(
            Program.valise, ["key", "generate", "--to", secret, "--dry-run", "--json"])
        #expect(document.json?["operation"] as? String == "keyGeneration")
        #expect(document.json?["created"] as? [String] == [secret])
    }

    @Test func `every dry run ends with the same line`() throws {
        let archive = folder.appending("a.zip").string
        #expect(try Program.valise("archive", "export", account, archive, key, "--quiet").status == 0)
        let commands: [[String]] = [
            ["account", "compact", account], ["account", "salvage", account, folder.appending("b").string],
            ["archive", "export", account, folder.appending("b.zip").string],
            ["archive", "extract", archive, "-C", folder.appending("c").string],
            ["archive", "import", archive, account, "--into-existing"],
            ["archive", "salvage", archive, folder.appending("d.zip").string],
            ["key", "change", account, "--decrypt"], ["key", "sheet", account, "-o", "\(archive).pdf"],
            ["key", "upgrade", account], ["media", "encrypt", account],
            ["media", "export", account, folder.appending("e").string], ["media", "purge", account],
            ["migrate", "run", account, "--to-chat", "0020_channels", "--confirm", "yesUpDown"],
        ]
        for arguments in commands {
            let planned = try Program.run(Program.valise, arguments + [key, "--dry-run"])
            #expect(planned.status == 0, "\(arguments): \(planned.errors)")
            #expect(
                planned.output.hasSuffix("\ndry run: nothing was changed\n"),
                "\(arguments): \(planned.output)")
        }
    }

    @Test func `a dry run judges a new passphrase that is given, and asks for none`() throws {
        let weak = folder.appending("weak")
        try FileSystem().replace(weak, with: Array("abc".utf8))
        let create = ["account", "create", folder.appending("new").string, "--dry-run"]
        let refused = try Program.run(Program.valise, create + ["--passphrase-file=\(weak)"])
        #expect(refused.status == 64 && refused.errors.contains("too easy to guess"), "\(refused.errors)")
        let accepted = try Program.run(
            Program.valise, create + ["--passphrase-file=\(weak)", "--allow-weak"])
        #expect(accepted.status == 0, "\(accepted.errors)")
        let unasked = try Program.atTerminal(create, environment: [:])
        #expect(unasked.status == 0 && !unasked.output.contains("assphrase"), "\(unasked.output)")
    }

    @Test func `the plan of a migration is shown once, whatever is answered, and a dry run asks nothing`()
        throws
    {
        let down = ["migrate", "run", account, key, "--to-chat", "0020_channels"]
        func count(_ outcome: Program.Outcome) -> Int {
            outcome.output.components(separatedBy: "to undo").count - 1
        }
        let planned = try Program.atTerminal(down + ["--dry-run"], environment: [:])
        #expect(planned.status == 0 && !planned.output.contains("Continue?"), "\(planned.output)")
        let refused = try Program.atTerminal(down, answers: ["n"], environment: [:])
        #expect(refused.status == 1 && count(refused) == 1, "\(refused.output)")
        #expect(refused.output.contains("not confirmed. Nothing was changed."), "\(refused.output)")
        let done = try Program.atTerminal(down, answers: ["y"], environment: [:])
        #expect(done.status == 0 && count(done) == 1, "\(done.output)")
        #expect(done.output.contains("migrated in "), "\(done.output)")
    }

    @Test func `media are not deleted without consent`() throws {
        let stray = FilePath(account).appending("simplex_v1_files").appending("stray")
        try FileSystem().replace(stray, with: [1])
        let refused = try typing("no", as: "media", "purge", account, key, "--delete")
        #expect(refused.status == 1, "\(refused.output)")
        #expect(refused.output.contains("not confirmed. Nothing was changed."), "\(refused.output)")
        #expect(try FileSystem().exists(stray))
    }

    /// Some file.
    private var anyFile: String { "\(account)/simplex_v1_chat.db" }
}
