import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// What commands say and how they end where a passphrase is stored, or is nowhere.
struct UnverifiedTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder("valise-unproved", inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try fileSystem.replace(folder.appending("wrong"), with: Array(AccountState.otherPassphrase.utf8))
        try PreparedAccount.empty(at: account)
    }

    private var account: String { folder.appending("account").string }
    private var archive: String { folder.appending("a.zip").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var wrong: String { "--passphrase-file=\(folder.appending("wrong"))" }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments, environment: ["HOME": folder.appending("home").string])
    }

    private func store(_ option: String) throws {
        #expect(try valise("key", "store", account, option, "--store", "file", "--no-check").status == 0)
    }

    private func export(_ more: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, ["archive", "export", account, archive, "--force", "--json"] + more,
            environment: ["HOME": folder.appending("home").string])
    }

    private func status(_ more: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, ["account", "status", account, "--exit-code"] + more,
            environment: ["HOME": folder.appending("home").string])
    }

    @Test func `an export proves the databases with the stored passphrase`() throws {
        #expect(try export().json?["databasesOpened"] as? Bool == false)
        try store(key)
        #expect(try export().json?["databasesOpened"] as? Bool == true)
        #expect(try export("--no-key-store").json?["databasesOpened"] as? Bool == false)
        // An outdated one is found out here, not on the day when the archive is needed.
        try store(wrong)
        let refused = try export()
        #expect(refused.status == 12, "\(refused.output)")
        #expect(refused.errors.contains("the passphrase came from the key store 'file'"), "\(refused.errors)")
        #expect(try export(key).status == 0)
    }

    @Test func `status does not say that nothing is due where it has not looked`() throws {
        let blind = try status()
        #expect(blind.status == 64, "\(blind.errors)")
        #expect(
            blind.errors.contains("cannot check for pending work") && blind.errors.contains("chat and agent"),
            "\(blind.errors)")
        #expect(try status("--json").status == 64)
        #expect(try valise("account", "status", account).status == 0)
        #expect(try status(key).status == 0)
        try store(key)
        let stored = try status("--json")
        #expect(stored.status == 0 && stored.output.contains("\"access\":\"opened\""), "\(stored.output)")
        #expect(try status("--no-key-store").status == 64)
        try store(wrong)
        #expect(try status().status == 12)
    }

    @Test func `what is due is due, also where the databases are not opened`() throws {
        let older = folder.appending("older").string
        try PreparedAccount.empty(at: older)
        // What an interrupted run left.
        let work = AccountLocation(directory: FilePath(older)).directory.appending(".valise-simplex_v1")
        try fileSystem.makeDirectories(work.appending("new"))
        #expect(try valise("account", "status", older, "--exit-code").status == 20)
    }

    @Test func `an account that is not encrypted needs no passphrase for any of that`() throws {
        let open = folder.appending("open").string
        #expect(try valise("account", "create", open, "--no-encryption", "--yes", "--quiet").status == 0)
        #expect(try valise("account", "status", open, "--exit-code").status == 0)
        #expect(try valise("archive", "export", open, archive).status == 0)
        #expect(try valise("archive", "verify", archive, "--require-verified").status == 0)
    }

    @Test func `an archive that is not verified says so, and fails where it must be`() throws {
        #expect(try export().status == 0)
        let blind = try valise("archive", "verify", archive)
        #expect(blind.status == 0 && blind.output.contains("  not verified: "), "\(blind.output)")
        let required = try valise("archive", "verify", archive, "--require-verified")
        #expect(required.status == 12, "\(required.errors)")
        #expect(required.errors.contains("not verified: no passphrase given"), "\(required.errors)")
        #expect(required.errors.contains("a.zip") && required.errors.contains("(chat, agent)"))
        let document = try valise("archive", "verify", archive, "--require-verified", "--json")
        #expect(document.status == 12 && document.json?["verdict"] as? String == "unproved")
        #expect(try valise("archive", "verify", archive, "--require-verified", "--quiet").status == 12)
        #expect(try valise("archive", "verify", archive, "--require-verified", key).status == 0)
        let earlier = try valise("archive", "verify", archive, "--require-proof")
        #expect(earlier.status == 12 && earlier.errors.contains("--require-verified"), "\(earlier.errors)")
        #expect(try valise("archive", "verify", archive, "--require-verified", wrong).status == 12)
        var bytes = try fileSystem.contents(of: FilePath(archive), limit: 1 << 26)
        bytes.removeLast(500)
        try fileSystem.replace(FilePath(archive), with: bytes)
        #expect(try valise("archive", "verify", archive, "--require-verified").status == 13)
    }
}
