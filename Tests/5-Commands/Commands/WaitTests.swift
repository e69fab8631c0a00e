import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `--wait` for an account that another program has open.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/sleep")))
struct WaitTests {
    private let folder: TemporaryFolder
    private var account: String { folder.appending("account").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder("valise-wait", inMemory: true)
        try FileSystem().replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account)
    }

    /// A program that has the chat database open for so long.
    private func holding(_ seconds: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = [seconds]
        let database = try FileHandle(forReadingFrom: URL(filePath: "\(account)/simplex_v1_chat.db"))
        process.standardInput = database
        try process.start()
        // Only the other program has it open.
        try database.close()
        return process
    }

    @Test func `it waits until the holder is gone, and then does its work`() throws {
        let holder = try holding("3")
        let start = ContinuousClock.now
        let outcome = try Program.valise("account", "compact", "--wait", account, key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(ContinuousClock.now - start > .seconds(1) && !holder.isRunning)
    }

    @Test func `a received account waits for the one that it replaces`() throws {
        let archive = folder.appending("archive.zip").string
        let home = ["HOME": folder.appending("home").string]
        let exported = try Program.valise("archive", "export", account, archive, key)
        #expect(exported.status == 0, "\(exported.errors)")
        let holder = try holding("4")
        let receiving = ["move", "receive", archive, account, "--into-existing", "--yes", key]
        let refused = try Program.run(Program.valise, receiving, environment: home)
        #expect(
            refused.status == 11 && refused.errors.contains("hint: to wait for it, add --wait"),
            "\(refused.errors)")
        let received = try Program.run(Program.valise, receiving + ["--wait"], environment: home)
        #expect(received.status == 0 && !holder.isRunning, "\(received.errors)")
        let cancelled = try Program.valise("move", "cancel", account, "--wait=5s", environment: home)
        #expect(
            cancelled.status != 64 && cancelled.errors.contains("has been received and stays in place"),
            "\(cancelled.errors)")
    }

    @Test func `it does not wait longer than it was told, and not at all where it was not`() throws {
        let holder = try holding("60")
        defer { holder.terminate() }
        let limited = try Program.valise("account", "compact", "--wait=1s", account, key)
        #expect(limited.status == 11 && limited.errors.contains("still in use by sleep"), "\(limited.errors)")
        #expect(limited.errors.contains(" after 1 s. Nothing was changed."), "\(limited.errors)")
        #expect(!limited.errors.contains("add --wait"))
        let refused = try Program.valise("account", "compact", account, key)
        #expect(
            refused.status == 11 && refused.errors.contains("hint: to wait for it, add --wait"),
            "\(refused.errors)")
        #expect(try Program.valise("account", "compact", "--wait=soon", account, key).status == 64)
    }
}
