import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// The passphrase leaves no trace: not where it is stored and taken, not where it is typed, not on the way
/// into the databases. Other commands are covered by one more line in the table.
@Suite(.enabled(if: SecretLeak.library != nil, "needs a C compiler on Linux"))
struct SecretLeakTests {
    private let leak: SecretLeak

    init() throws {
        leak = try SecretLeak()
    }

    private func expectNone(
        _ arguments: [String], under prefix: [String] = [], environment: [String: String] = [:],
        status: Int32 = 0, location: SourceLocation = #_sourceLocation
    ) throws {
        let traces = try leak.run(arguments, under: prefix, environment: environment)
        let name = arguments.joined(separator: " ")
        #expect(
            traces.outcome.status == status, "\(name): \(traces.outcome.errors)", sourceLocation: location)
        #expect(traces.inMemory == 0, "\(name): \(traces.report)", sourceLocation: location)
        #expect(traces.scanned > 10 << 20, "\(name): only \(traces.scanned)", sourceLocation: location)
        #expect(!traces.isPrinted, "\(name) prints it", sourceLocation: location)
    }

    @Test func `what is left behind would be found`() throws {
        let asArgument = try leak.run(["account", "status", leak.marker])
        #expect(try #require(asArgument.inMemory) > 0)
        #expect(asArgument.isPrinted)
        let inEnvironment = try leak.run(["--version"], environment: ["A": leak.marker])
        #expect(try #require(inEnvironment.inMemory) > 0)
        #expect(try leak.files() == ["key"])
    }

    @Test func `no command leaves the passphrase in memory, output or files`() throws {
        let account = leak.account
        let sheet = leak.folder.appending("sheet.pdf").string
        let drawing = leak.folder.appending("sheet.svg").string
        let archive = leak.folder.appending("a.zip").string
        let commands: [[String]] = [
            ["account", "create", account, leak.key, "--store-key", "file"],
            ["account", "status", account, leak.key, "--json"],
            ["key", "store", account, leak.key, "--store", "file"],
            ["key", "list", "--json"],
            ["migrate", "status", account, "--json"],
            ["migrate", "run", account, "--confirm", "yesUp"],
            ["key", "sheet", account, "--output", sheet],
            ["key", "sheet", account, "--output", drawing],
            ["key", "sheet", account, "--verify", leak.key],
            ["key", "verify", account],
            ["account", "check", account, "--quick"],
            ["account", "sql", account, "SELECT count(*) FROM migrations"],
            ["account", "compact", account],
            ["key", "change", account, "--new-passphrase-command", "echo another", "--allow-weak"],
            ["key", "change", account, "--new-passphrase-file", leak.folder.appending("key").string],
            ["archive", "export", account, archive, leak.key],
            ["archive", "import", archive, leak.folder.appending("b").string, leak.key],
        ]
        for arguments in commands { try expectNone(arguments) }
        // The sheet is the secret on paper. The drawing has it too, but group by group.
        let known = try leak.files().filter { !$0.hasPrefix("home/") }
        #expect(known == ["key", "sheet.pdf"])
        #expect(try leak.files().filter { $0.hasPrefix("home/") }.count == 1)
        try expectNone(["key", "forget", "--yes", account, "--json"])
        #expect(try leak.files().filter { $0.hasPrefix("home/") }.isEmpty)
    }

    @Test func `no command leaves the key of a file`() throws {
        // Base64 of 32 and of 24 bytes.
        let key = #"{"fileKey":"\#(leak.marker)AAAAAAAAAAA=","fileNonce":"\#(leak.marker)"}"#
        try FileSystem().replace(leak.folder.appending("args"), with: Array(key.utf8))
        try FileSystem().replace(leak.folder.appending("plain"), with: [UInt8](repeating: 1, count: 100_000))
        let (plain, encrypted) = (leak.folder.appending("plain").string, leak.folder.appending("e").string)
        let given = ["--key-file", leak.folder.appending("args").string]
        try expectNone(["file", "encrypt", plain, encrypted, "--json"] + given)
        try expectNone(
            ["file", "encrypt", plain, encrypted + "2", "--key-output", encrypted + ".key.json"] + given)
        try expectNone(["file", "verify", encrypted, "--json"])
        try expectNone(["file", "decrypt", encrypted, plain + "2"])
        try expectNone(["file", "decrypt", plain, plain + "3", "--json"] + given, status: 13)
        let python = try #require(Program.tool("python3"))
        let script = Repository.beside("Support/at-terminal.py").path
        try expectNone(["file", "verify", encrypted + "2"], under: [python, script, key, "--"])
        #expect(try leak.files() == ["args", "e.key.json", "key"])
    }

    @Test func `no step of a move leaves the passphrase`() throws {
        let account = leak.account
        let relay = try TestRelay(leak.folder.appending("relay"))
        try expectNone(["account", "create", account, leak.key])
        let sending = ["move", "send", account, "--server", relay.address, "--yes", "--no-qr", leak.key]
        try expectNone(sending)
        let link = try leak.run(sending).outcome.output.trimmingCharacters(in: .newlines)
        let received = leak.folder.appending("received").string
        try expectNone(["move", "receive", link, received, "--yes", "--approve-relays", leak.key])
        try expectNone(["move", "cancel", account, "--yes"])
        relay.stop()
        #expect(try leak.files() == ["key"])
    }

    @Test func `neither does a command that fails`() throws {
        #expect(
            try Program.valise(
                "account", "create", leak.account, "--passphrase-command", "echo x", "--allow-weak"
            ).status
                == 0)
        let account = leak.account
        try expectNone(["migrate", "status", account, leak.key], status: 12)
        try expectNone(["key", "store", account, leak.key, "--store", "file", "--json"], status: 12)
        try expectNone(["key", "sheet", account, leak.key, "-o", account + ".pdf", "--json"], status: 12)
        try expectNone(
            ["key", "store", account, leak.key, "--store", "secret-service", "--json"], status: 14)
        #expect(try leak.files() == ["key"])
    }

    @Test func `nor what is typed or comes from a command`() throws {
        let python = try #require(Program.tool("python3"))
        let script = Repository.beside("Support/at-terminal.py").path
        try expectNone(
            ["account", "create", leak.account], under: [python, script, leak.marker, leak.marker, "--"])
        try expectNone(
            ["key", "sheet", "--verify", leak.account], under: [python, script, leak.marker, "--"])
        try expectNone([
            "key", "store", leak.account, "--store", "file", "--passphrase-command",
            "cat \(leak.folder.appending("key"))",
        ])
    }

    @Test(.enabled(if: Keyring.isHere, "needs Scripts/setup.sh --with-test-tools"))
    func `nor what goes to the desktop's keyring and comes from it`() throws {
        let keyring = try Keyring(home: leak.folder.appending("home"))
        defer { keyring.end() }
        try expectNone(
            ["account", "create", leak.account, leak.key, "--store-key", "secret-service"],
            environment: keyring.environment)
        try expectNone(
            ["key", "store", leak.account, leak.key], environment: keyring.environment)
        try expectNone(["migrate", "status", leak.account, "--no-input"], environment: keyring.environment)
        try expectNone(["key", "forget", "--yes", leak.account], environment: keyring.environment)
    }
}
