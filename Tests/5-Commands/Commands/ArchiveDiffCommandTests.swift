import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// `valise archive diff`: its statuses, and what it prints.
struct ArchiveDiffCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private var archive: FilePath { folder.appending("a.zip") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        let raw = "x'\(String(repeating: "77", count: 32))'"
        try fileSystem.replace(folder.appending("other"), with: Array(raw.utf8))
        try PreparedAccount.sample(at: account.directory.string, "--messages", "60")
        let exported = try Program.valise(
            "archive", "export", account.directory.string, archive.string, "--quiet")
        #expect(exported.status == 0, "\(exported.errors)")
    }

    private func diff(_ first: FilePath, _ second: FilePath, _ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["archive", "diff", first.string, second.string] + more)
    }

    private func add() throws {
        let passphrase = try SecretBytes(copying: Array(AccountState.passphrase.utf8))
        let connection = try Connection(account.path(of: .chat), mode: .readWrite, passphrase: passphrase)
        try connection.execute(
            """
            UPDATE contacts SET chat_ts = '2031-01-01 00:00:00' WHERE contact_id = 2;
            UPDATE contact_profiles SET display_name = 'evil' || char(27) || '[2J', local_alias = '';
            INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_content, item_text, item_status)
            SELECT user_id, contact_id, 1, '2031-01-01 00:00:00', '{}', 'x', 'snd_new' FROM contacts LIMIT 1
            """)
    }

    @Test func `nothing differs is 0, a difference is 0 too, and 20 with --exit-code`() throws {
        let same = try diff(archive, account.directory, key, "--exit-code")
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.hasSuffix("A and B are the same account in the same state\n"))
        try add()
        let plain = try diff(archive, account.directory, key)
        #expect(plain.status == 0)
        #expect(
            plain.output.contains("B continues A: it has all messages of A and 1 more"))
        #expect(plain.output.contains("1 only in B (id 61)"))
        #expect(!plain.output.contains("\u{1b}"))
        #expect(try diff(archive, account.directory, key, "--exit-code").status == 20)
    }

    @Test func `what nothing but messages tells, is told both ways`() throws {
        let passphrase = try SecretBytes(copying: Array(AccountState.passphrase.utf8))
        try Connection(account.path(of: .chat), mode: .readWrite, passphrase: passphrase).execute(
            "DELETE FROM chat_items WHERE chat_item_id > 50")
        let outcome = try diff(archive, account.directory, key)
        #expect(
            outcome.output.contains(
                "A has all messages of B and 10 more, all newer: A continues B, or they were deleted in B\n"),
            "\(outcome.output)")
        #expect(outcome.output.contains("chat_items: 60 rows in A, 50 in B, 10 only in A"))
    }

    @Test func `between archives it is said what was not read`() throws {
        let outcome = try diff(archive, archive, key)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("same size and CRC-32 (contents not read)"))
    }

    @Test(.enabled(if: Preload.compile("unreadable") != nil, "needs a compiler"))
    func `a file that cannot be read is not called another file`() throws {
        let library = try #require(Preload.compile("unreadable"))
        let name = try #require(try fileSystem.list(account.filesFolder).compactMap(\.name).min())
        let outcome = try Program.run(
            Program.valise, ["archive", "diff", archive.string, account.directory.string, key],
            environment: ["LD_PRELOAD": library, "UNREADABLE": name])
        #expect(outcome.status == 3)
        #expect(
            outcome.output.hasSuffix(
                "A and B are the same account in the same state; 1 file unreadable\n"),
            "\(outcome.output)")
        #expect(outcome.output.contains("1 unreadable"))
    }

    @Test func `a passphrase that is given comes before one that is stored`() throws {
        try add()
        let home = folder.appending("home")
        try fileSystem.makeDirectory(home)
        func valise(_ arguments: [String]) throws -> Program.Outcome {
            try Program.run(Program.valise, arguments, environment: ["HOME": home.string])
        }
        let store = ["key", "store", account.directory.string, "--store", "file", "--no-check"]
        let stored = try valise(store + ["--passphrase-file=\(folder.appending("other"))"])
        #expect(stored.status == 0, "\(stored.errors)")
        let compare = ["archive", "diff", archive.string, account.directory.string, "--no-input"]
        let given = try valise(compare + [key])
        #expect(given.status == 0 && given.output.contains("B continues A"), "\(given.errors)")
        // Which of the two keys failed decides what helps.
        let stale = try valise(compare + ["--other-passphrase-file=\(folder.appending("other"))", key])
        #expect(stale.status == 12 && !stale.errors.contains("add --passphrase-file"), "\(stale.errors)")
        let reverse = ["archive", "diff", account.directory.string, archive.string, "--no-input"]
        let first = try valise(reverse)
        #expect(
            first.status == 12 && first.errors.contains("hint: to use another one, add --passphrase-file"))
        let shared = try valise(compare + ["--passphrase-file=\(folder.appending("other"))"])
        #expect(shared.status == 12 && !shared.errors.contains("key store"), "\(shared.errors)")
    }

    @Test func `JSON is one document with its type`() throws {
        try add()
        let outcome = try diff(archive, account.directory, key, "--json", "--exit-code")
        #expect(outcome.status == 20)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let report = try #require(object as? [String: Any])
        #expect(report["type"] as? String == "archiveDiff")
        #expect(report["relation"] as? String == "secondContinues")
        #expect(report["isSame"] as? Bool == false)
        #expect((report["messages"] as? [String: Any])?["shared"] as? Int == 60)
    }

    @Test func `a second passphrase is for the second account`() throws {
        let changed = try Program.valise(
            "key", "change", account.directory.string, key,
            "--new-passphrase-file=\(folder.appending("other"))", "--quiet")
        #expect(changed.status == 0, "\(changed.errors)")
        let wrong = try diff(archive, account.directory, key)
        #expect(wrong.status == 12)
        #expect(wrong.errors.contains("--other-passphrase-file"))
        let right = try diff(
            archive, account.directory, key, "--other-passphrase-file=\(folder.appending("other"))",
            "--exit-code")
        #expect(right.status == 0, "\(right.errors)")
        #expect(right.output.contains("different bytes, same rows"))
    }

    @Test func `without a passphrase it says what was not compared`() throws {
        try add()
        let outcome = try diff(archive, account.directory, "--no-input")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("no passphrase given"))
        #expect(outcome.output.contains("agent database: identical bytes"))
    }

    @Test func `nothing there is 10, no zip 13, two sources of one passphrase 64`() throws {
        #expect(try diff(archive, folder.appending("nowhere")).status == 10)
        try fileSystem.replace(folder.appending("text.zip"), with: Array("no archive, but long enough".utf8))
        #expect(try diff(folder.appending("text.zip"), account.directory, key).status == 13)
        let twice = try diff(
            archive, account.directory, "--other-passphrase-file=x", "--other-passphrase-fd=3")
        #expect(twice.status == 64)
    }
}
