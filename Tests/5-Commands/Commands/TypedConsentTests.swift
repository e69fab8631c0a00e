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
        #expect(try Program.valise("account", "create", account, key, "--quiet").status == 0)
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

    @Test func `a dry run asks nothing and changes nothing`() throws {
        let before = try TemporaryFolder.contents(of: folder.path)
        let secret = folder.appending("secret").string
        for (arguments, line) in [
            (["key", "generate", "--to", secret], "would create \(secret)\n"),
            (["account", "recover", account], "nothing would change\n"),
            (["key", "change", account, key, "--decrypt", "--no-input"], "nothing was changed\n"),
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

    /// Some file.
    private var anyFile: String { "\(account)/simplex_v1_chat.db" }
}
