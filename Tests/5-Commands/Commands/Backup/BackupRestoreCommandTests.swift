import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// `valise backup list`, `show`, `diff` and `restore`, and snapshots in the place of accounts.
struct BackupRestoreCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private var repository: FilePath { folder.appending("repository") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder("valise-restore", inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try fileSystem.replace(folder.appending("password"), with: Array("repository".utf8))
        try PreparedAccount.sample(at: account.directory.string, "--messages", "60")
        _ = try ValiseRepository.Repository.create(
            in: FolderStore(repository), password: SecretBytes(copying: Array("repository".utf8)),
            ScryptParameters(n: 1024, r: 8, p: 1))
    }

    private func backUp() throws -> ContentID {
        let opened = try ValiseRepository.Repository.open(
            FolderStore(repository), password: SecretBytes(copying: Array("repository".utf8)))
        let report = try SnapshotWriter(
            AccountReader(account), at: .folder(account), in: opened, SnapshotOptions()
        ).run(passphrase: SecretBytes(copying: Array(AccountState.passphrase.utf8)))
        return try #require(report.snapshot)
    }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments,
            environment: [
                "RESTIC_PASSWORD_FILE": folder.appending("password").string,
                "RESTIC_REPOSITORY": repository.string, "XDG_STATE_HOME": folder.appending("state").string,
            ])
    }

    @Test func `snapshots are listed, shown and compared`() throws {
        let empty = try valise("backup", "list")
        #expect(empty.status == 0 && empty.output == "no snapshots\n", "\(empty.errors)")
        let id = try backUp()
        let list = try valise("backup", "list", account.directory.string)
        #expect(list.output.contains("\(id)  ") && list.output.hasSuffix("1 snapshot\n"), "\(list.errors)")
        #expect(try valise("backup", "list", "--json").output.contains("\"id\":\"\(id.text)\""))
        let shown = try valise("backup", "show", "latest")
        #expect(shown.output.contains("chat database: kept open"), "\(shown.errors)")
        let same = try valise("backup", "diff", id.description, "latest", "--exit-code")
        #expect(same.status == 0 && same.output.contains("same account in the same state"), "\(same.errors)")
        #expect(try valise("backup", "show", "ffffffff").status == 10)
    }

    @Test func `an account is restored, and replaced only with --into-existing`() throws {
        _ = try backUp()
        let new = folder.appending("new").string
        let plan = try valise("backup", "restore", "latest", new, "--dry-run", "--no-input")
        #expect(plan.status == 0 && plan.output.contains("would restore"), "\(plan.errors)")
        let missing = try valise("backup", "restore", "latest", new, "--no-input", "--no-key-store")
        #expect(missing.status != 0 && missing.errors.contains("a passphrase is required"))
        let restored = try valise("backup", "restore", "latest", new, key)
        #expect(restored.status == 0, "\(restored.errors)")
        let diff = try valise("archive", "diff", account.directory.string, new, key, "--exit-code")
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
        let refused = try valise("backup", "restore", "latest", new, key)
        #expect(
            refused.status != 0 && refused.errors.contains("add --into-existing"),
            "\(refused.errors)")
        let replaced = try valise(
            "backup", "restore", "latest", new, key, "--into-existing", "--yes", "--json")
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(replaced.output.contains("\"replacedAccount\":true"))
        let unasked = try valise("backup", "restore", "latest", new, key, "--into-existing", "--no-input")
        #expect(unasked.status != 0)
    }

    @Test func `snapshots are read in the place of accounts`() throws {
        _ = try backUp()
        let snapshot = "\(repository)::latest"
        let checked = try valise("account", "check", snapshot, "--no-input")
        // The sample has a photo too few.
        let known = try valise("account", "check", account.directory.string, key)
        #expect(checked.status == known.status, "\(checked.output)\(checked.errors)")
        let chats = try valise("chat", "list", snapshot, "--no-input")
        let own = try valise("chat", "list", account.directory.string, key)
        #expect(chats.status == 0 && chats.output == own.output, "\(chats.errors)")
        let archive = folder.appending("out.zip").string
        let exported = try valise("archive", "export", snapshot, archive, key)
        #expect(exported.status == 0, "\(exported.errors)")
        let diff = try valise("archive", "diff", archive, snapshot, key, "--exit-code")
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
    }

    @Test(.enabled(if: OtherProgram.isThere("restic")))
    func `restic restores the same media`() throws {
        let id = try backUp()
        let target = folder.appending("by-restic")
        let restic = try #require(OtherProgram("restic"))
        let (status, output) = try restic.run([
            "--no-cache", "--repo", repository.string, "--password-file",
            folder.appending("password").string, "restore", id.text, "--target", target.string,
        ])
        #expect(status == 0, "\(output)")
        let ours = AccountLocation(directory: folder.appending("ours"))
        #expect(try valise("backup", "restore", id.text, ours.directory.string, key).status == 0)
        let theirs = AccountLocation(directory: target.appending("account"))
        #expect(
            try TemporaryFolder.contents(of: ours.filesFolder)
                == TemporaryFolder.contents(of: theirs.filesFolder))
    }
}
