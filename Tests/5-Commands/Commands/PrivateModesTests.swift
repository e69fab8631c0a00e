import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseFiles

/// With umask 000 nothing that the program makes is for others, not even for a moment.
@Suite(.enabled(if: ModesWatch.library != nil))
struct PrivateModesTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var root: FilePath { folder.appending("root") }
    private var key: FilePath { folder.appending("key") }

    init() throws {
        folder = try TemporaryFolder("valise-modes")
        try fileSystem.makeDirectory(root)
        try fileSystem.replace(key, with: Array(AccountState.passphrase.utf8))
    }

    /// Runs a program to its end, and looks at all that it made.
    @discardableResult
    private func run(
        _ arguments: [String], of program: String = Program.valise,
        location: SourceLocation = #_sourceLocation
    ) throws -> Program.Outcome {
        let report = folder.appending("report")
        let environment = [
            "LD_PRELOAD": ModesWatch.library ?? "", "MODES_REPORT": report.string,
            // With jobs and stored passphrases.
            "HOME": folder.appending("home").string,
        ]
        let outcome = try Program.run(program, arguments, environment: environment)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: location)
        try expectPrivate("\(arguments)", report, location)
        return outcome
    }

    private func expectPrivate(_ what: Comment, _ report: FilePath, _ location: SourceLocation) throws {
        let lines =
            try fileSystem.exists(report)
            ? String(contentsOfFile: report.string, encoding: .utf8).split(separator: "\n") : []
        #expect(lines.contains { $0.hasPrefix("made ") }, what, sourceLocation: location)
        let open = lines.filter { !$0.hasPrefix("made ") && !$0.contains(" /dev/") }
        #expect(open.isEmpty, what, sourceLocation: location)
        if !lines.isEmpty { try fileSystem.remove(report) }
    }

    @Test(arguments: CrashOperation.allCases) func `what an operation makes is for the owner alone`(
        _ operation: CrashOperation
    )
        throws
    {
        try operation.prepare(root, key: key, mediaBytes: nil)
        // These only move what there is.
        guard operation != .rollback, operation != .confirm else { return }
        try run(operation.arguments(root, key: key))
    }

    private func path(_ name: String) -> String { root.appending(name).string }

    @Test func `what is done with accounts and keys is for the owner alone`() throws {
        let passphrase = ["--passphrase-file", key.string]
        try AccountMaker(root, mediaBytes: nil).make("old")
        let account = path("account")
        try run(["account", "salvage", account, path("salvaged")] + passphrase)
        try run(["archive", "export", account, path("a.zip")] + passphrase)
        try run(["archive", "extract", path("a.zip"), "--directory", path("extracted")])
        try run(["archive", "verify", path("a.zip"), "--report", path("report.json")] + passphrase)
        try run(["archive", "salvage", path("a.zip"), path("b.zip")] + passphrase)
        try run(["key", "generate", "--to", path("new key")])
        try run(["key", "sheet", account, "--output", path("sheet.pdf")] + passphrase)
        try run(["key", "store", account, "--store", "file"] + passphrase)
        try run(["key", "change", account, "--new-passphrase-file", path("new key")] + passphrase)
        try run([
            "move", "send", account, "--to", path("moved"), "--yes", "--accept-random-passphrase",
            "--passphrase-file", path("new key"),
        ])
    }

    @Test func `what is done with single files is for the owner alone`() throws {
        try fileSystem.replace(root.appending("file"), with: [UInt8](repeating: 7, count: 300_000))
        try run(["file", "encrypt", path("file"), path("file.enc")])
        try run(["file", "decrypt", path("file.enc"), path("again")])
        let media = AccountMaker(root, mediaBytes: nil)
        try media.make("old")
        try media.nameMedia()
        try fileSystem.replace(media.location.filesFolder.appending("unnamed.bin"), with: [1])
        let passphrase = ["--passphrase-file", key.string]
        try run(["media", "export", path("account"), path("exported")] + passphrase)
        try run(["media", "purge", path("account")] + passphrase)
    }

    @Test func `what is sent and received is for the owner alone, and what a relay keeps`() throws {
        let relay = root.appending("relay")
        try run(
            [
                "init", "--folder", relay.string, "--host", "127.0.0.1", "--port", "0", "--sign-algorithm",
                "ed25519",
            ], of: Program.relay)
        let report = folder.appending("relay report")
        let running = Process()
        running.executableURL = URL(filePath: Program.relay)
        running.arguments = ["start", "--folder", relay.string, "--json"]
        running.environment = Program.environment([
            "LD_PRELOAD": ModesWatch.library ?? "", "MODES_REPORT": report.string,
        ])
        let output = Pipe.uninherited()
        running.standardOutput = output
        running.standardError = FileHandle.nullDevice
        try running.start()
        defer { if running.isRunning { kill(running.processIdentifier, SIGKILL) } }
        let line = try JSONSerialization.jsonObject(with: output.fileHandleForReading.availableData)
        let address = try #require((line as? [String: Any])?["address"] as? String)
        try fileSystem.replace(root.appending("file"), with: [UInt8](repeating: 7, count: 300_000))
        let link = try run([
            "file", "send", path("file"), "--server", address, "--descriptions", root.string,
        ]).output
        let first = try #require(link.split(separator: "\n").first { $0.contains("simplex:/file") })
        try run(["file", "receive", String(first), "--output", path("received"), "--approve-relays"])
        running.terminate()
        running.waitUntilExit()
        try expectPrivate("the relay", report, #_sourceLocation)
    }
}
