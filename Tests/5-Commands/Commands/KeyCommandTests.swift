import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise key …` and the stored passphrase in other commands.
struct KeyCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    private static let passphrase = "x'" + String(repeating: "5a", count: 32) + "'"
    private static let wrong = "x'" + String(repeating: "00", count: 32) + "'"

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.makeDirectory(folder.appending("home"))
        try fileSystem.replace(folder.appending("key"), with: Array((Self.passphrase + "\n").utf8))
        try fileSystem.replace(folder.appending("wrong"), with: Array((Self.wrong + "\n").utf8))
        try PreparedAccount.empty(at: account)
    }

    private var account: String { folder.appending("account").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var wrong: String { "--passphrase-file=\(folder.appending("wrong"))" }

    private func valise(_ arguments: String..., on keyring: Keyring? = nil) throws -> Program.Outcome {
        let environment = ["HOME": folder.appending("home").string]
        return try Program.run(
            Program.valise, arguments, environment: environment.merging(keyring?.environment ?? [:]) { $1 })
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    /// The keys of this test's accounts: the kernel's keyring is one for all tests, and for whoever runs them.
    private func ownKeys(on keyring: Keyring? = nil) throws -> [[String: Any]] {
        let keys = try json(try valise("key", "list", "--json", on: keyring))["keys"] as? [[String: Any]]
        return try #require(keys).filter {
            ($0["directory"] as? String)?.hasPrefix(folder.path.string) ?? false
        }
    }

    @Test func `a passphrase file that is missing is told in the words of every missing file`() throws {
        let outcome = try valise("key", "verify", account, "--passphrase-file=\(folder.appending("none"))")
        #expect(outcome.status == 10)
        #expect(
            outcome.errors.contains("cannot read the passphrase file: no such file or folder\n"),
            "\(outcome.errors)")
    }

    private func openStatus(_ more: String...) throws -> Int32 {
        try Program.run(
            Program.valise, ["migrate", "plan", account, "--no-input"] + more,
            environment: ["HOME": folder.appending("home").string]
        ).status
    }

    // MARK: Files and the kernel

    @Test func `a stored passphrase opens the account, unless told otherwise`() throws {
        #expect(try openStatus() == 64)
        let stored = try json(try valise("key", "store", account, key, "--store", "file", "--json"))
        #expect(stored["type"] as? String == "keyStored")
        #expect(stored["checked"] as? Bool == true)
        #expect(try openStatus() == 0)
        #expect(try openStatus("--no-key-store") == 64)
        #expect(try openStatus("--key-store", "file") == 0)
        #expect(try openStatus("--key-store", "file:\(folder.appending("elsewhere"))") == 64)
        #expect(try openStatus("--key-store", "file", "--no-key-store") == 64)
        #expect(try openStatus(wrong) == 12)
    }

    private static let untypable: [([UInt8], String)] = [
        (Array("many long words\nthat nobody can type 8237\n".utf8), "more than one line"),
        ([0xff, 0xfe, 0x80] + Array("many long words 8237".utf8), "not valid UTF-8"),
    ]

    @Test(arguments: untypable)
    func `a new passphrase that cannot be typed is refused, unless told otherwise`(
        passphrase: [UInt8], reason: String
    ) throws {
        let new = folder.appending("new")
        try fileSystem.replace(new, with: passphrase)
        let refused = try valise("key", "change", account, key, "--new-passphrase-file=\(new)")
        #expect(refused.status == 64 && refused.errors.contains(reason), "\(refused.errors)")
        #expect(refused.errors.contains("--allow-weak"), "\(refused.errors)")
        let creation = try valise(
            "account", "create", folder.appending("other").string, "--passphrase-file=\(new)")
        #expect(creation.status == 64 && creation.errors.contains(reason), "\(creation.errors)")
        #expect(try openStatus(key) == 0)
        let changed = try valise(
            "key", "change", account, key, "--new-passphrase-file=\(new)", "--allow-weak")
        #expect(changed.status == 0, "\(changed.errors)")
        // One that exists is not judged.
        #expect(try openStatus("--passphrase-file=\(new)") == 0)
    }

    @Test func `an explicit passphrase does not touch the store`() throws {
        let keys = folder.appending("home/.local/share/valise/keys")
        #expect(try valise("key", "store", account, key, "--store", "file").status == 0)
        try fileSystem.setPermissions([.ownerReadWriteExecute, .groupReadExecute], of: keys)
        let broken = try valise("migrate", "plan", account, "--no-input", "--json")
        #expect(broken.status == 1)
        #expect(try json(broken)["type"] as? String == "errorKeychain")
        #expect(broken.errors.contains("\nhint: to keep other users out, run: chmod 700 \(keys)\n"))
        #expect(try openStatus(key) == 0)
        #expect(try openStatus("--no-key-store") == 64)
        let run = try valise(
            "migrate", "run", account, "--confirm", "yesUp", "--json", "--json-form", "single-field")
        #expect(run.output == "{\"_owsf\":true,\"errorKeychain\":{}}\n")
        #expect(run.status == 1)
        let list = try valise("key", "list", "--json")
        #expect(list.status == 3)
        #expect((try json(list)["failures"] as? [Any])?.count == 1)
    }

    @Test func `only a passphrase that opens both databases is stored`() throws {
        let refused = try valise("key", "store", account, wrong, "--store", "file")
        #expect(refused.status == 12)
        #expect(try ownKeys().isEmpty)
        #expect(try valise("key", "store", account, key, "--store", "file", "--dry-run").status == 0)
        #expect(try ownKeys().isEmpty)

        // The agent's database with another passphrase: the chat's alone does not do.
        let other = folder.appending("other").string
        #expect(try valise("account", "create", other, wrong).status == 0)
        try fileSystem.rename(
            FilePath(other).appending("simplex_v1_agent.db"),
            to: FilePath(account).appending("simplex_v1_agent.db"))
        #expect(try valise("key", "store", account, key, "--store", "file").status == 12)
        #expect(try valise("key", "store", account, key, "--store", "file", "--no-check").status == 0)

        let plain = folder.appending("plain").string
        #expect(try valise("account", "create", plain, "--no-encryption", "--yes").status == 0)
        #expect(try valise("key", "store", plain, key, "--store", "file").status == 64)
    }

    @Test func `a stored passphrase that does not fit is told as such`() throws {
        #expect(try valise("key", "store", account, wrong, "--store", "file", "--no-check").status == 0)
        let outcome = try valise("migrate", "plan", account)
        #expect(outcome.status == 12)
        #expect(outcome.errors.contains("the passphrase came from the key store 'file'"))
        let given = try valise("migrate", "plan", account, wrong)
        #expect(given.status == 12 && !given.errors.contains("key store"))
    }

    @Test func `an account that was moved is listed as gone, and forgotten by its previous place`() throws {
        #expect(try valise("key", "store", account, key, "--store", "file").status == 0)
        let moved = folder.appending("moved")
        try fileSystem.rename(FilePath(account), to: moved)
        let entry = try #require(try ownKeys().first)
        #expect(entry["isThere"] as? Bool == false)
        #expect(try valise("key", "list").output.contains("(account missing)"))
        let name = try #require(entry["account"] as? String)
        #expect(try valise("key", "forget", name, "--dry-run").status == 0)
        #expect(try valise("key", "forget", name, "--no-input").status == 64)
        #expect(try valise("key", "forget", "--yes", name).status == 0)
        #expect(try valise("key", "forget", "--yes", name).status == 10)
        #expect(try valise("key", "list", "--store", "file").output == "no passphrases are stored\n")
        #expect(try valise("key", "store", moved.string, key, "--store", "file").status == 0)
        try fileSystem.removeTree(moved)
        #expect(try valise("key", "forget", "--yes", moved.string).status == 0)
    }

    @Test func `a change of the passphrase reaches the stores that have the previous one`() throws {
        let new = folder.appending("wrong").string
        #expect(try valise("key", "store", account, key, "--store", "file").status == 0)
        let changed = try valise("key", "change", account, "--no-input", "--new-passphrase-file", new)
        #expect(changed.status == 0 && changed.errors.contains("key store 'file'"), "\(changed.errors)")
        #expect(try openStatus(wrong) == 0)
        #expect(try openStatus() == 0)
        let removed = try valise("key", "change", account, "--no-input", "--decrypt", "--yes")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try ownKeys().isEmpty)
    }

    @Test func `two accounts in one folder have two passphrases`() throws {
        #expect(try valise("account", "create", account, "--prefix", "second", wrong).status == 0)
        let first = ["--prefix", "simplex_v1"]
        #expect(
            try valise("key", "store", account, "--prefix", "second", wrong, "--store", "file").status == 0)
        #expect(try openStatus("--prefix", "second") == 0)
        #expect(try openStatus(first[0], first[1]) == 64)
        #expect(try valise("key", "store", account, first[0], first[1], key, "--store", "file").status == 0)
        #expect(try openStatus(first[0], first[1]) == 0)
        #expect(try valise("key", "forget", "--yes", account, "--prefix", "second").status == 0)
        #expect(try openStatus("--prefix", "second") == 64)
        #expect(try openStatus(first[0], first[1]) == 0)
    }

    @Test func `the kernel keeps it over processes, and another store's other passphrase is told`() throws {
        let stored = try valise("key", "store", account, key, "--store", "kernel")
        // A container may forbid it: then it says so, and nothing else goes wrong.
        if stored.status == 14 {
            #expect(stored.errors.contains("containers"))
            #expect(try openStatus() == 64)
            return
        }
        #expect(stored.status == 0, "\(stored.errors)")
        defer { _ = try? valise("key", "forget", "--yes", account, "--store", "kernel") }
        #expect(try openStatus() == 0)
        let warned = try valise("key", "store", account, wrong, "--store", "file", "--no-check")
        #expect(warned.errors.contains("'kernel' has a different passphrase"))
        #expect(try openStatus("--key-store", "file") == 12)
        #expect(try valise("key", "forget", "--yes", account, "--json").status == 0)
        #expect(try openStatus() == 64)
    }

    @Test func `a passphrase file that others can read is refused`() throws {
        try fileSystem.setPermissions([.ownerReadWrite, .groupRead], of: folder.appending("key"))
        let outcome = try valise("migrate", "plan", account, key, "--json")
        #expect(outcome.status == 1)
        #expect(try json(outcome)["type"] as? String == "error")
        let command = "chmod 600 \(folder.appending("key"))"
        #expect(
            outcome.errors.contains("0640")
                && outcome.errors.contains("\nhint: to keep other users out, run: \(command)\n")
                && outcome.errors.contains("\nhint: if someone may have read it, change the passphrase\n"))
        let remedy = try json(outcome)["remedy"] as? [String: Any]
        #expect(remedy?["kind"] as? String == "makePrivate")
        #expect(remedy?["commands"] as? [String] == [command])
    }

    // MARK: The desktop's keyring

    @Test(.enabled(if: Keyring.isHere, "needs Scripts/setup.sh --with-test-tools"))
    func `the desktop's keyring keeps, finds, lists and forgets`() throws {
        let keyring = try Keyring(home: folder.appending("home"))
        defer { keyring.end() }
        #expect(try valise("migrate", "plan", account, "--no-input", on: keyring).status == 64)
        let stored = try valise("key", "store", account, key, on: keyring)
        #expect(stored.status == 0, "\(stored.errors)")
        #expect(stored.output.contains("secret-service"))
        #expect(try valise("migrate", "plan", account, "--no-input", on: keyring).status == 0)
        #expect(try ownKeys(on: keyring).first?["store"] as? String == "secret-service")
        #expect(try valise("key", "forget", "--yes", account, on: keyring).status == 0)
        #expect(try ownKeys(on: keyring).isEmpty)
        #expect(try valise("migrate", "plan", account, "--no-input", on: keyring).status == 64)
    }

    @Test(.enabled(if: Keyring.isHere, "needs Scripts/setup.sh --with-test-tools"))
    func `a keyring that is locked or hangs is a failure in time, and no question`() throws {
        let keyring = try Keyring(home: folder.appending("home"))
        defer { keyring.end() }
        #expect(try valise("key", "store", account, key, on: keyring).status == 0)
        try keyring.lock()
        let locked = try valise("migrate", "plan", account, "--no-input", "--json", on: keyring)
        #expect(locked.status == 1)
        #expect(try json(locked)["type"] as? String == "errorKeychain")
        #expect(locked.errors.contains("locked"))
        #expect(try valise("key", "store", account, key, on: keyring).status == 1)
        #expect(try valise("key", "forget", "--yes", account, on: keyring).status == 1)
        #expect(try valise("migrate", "plan", account, key, on: keyring).status == 0)
        #expect(
            try valise("migrate", "plan", account, "--no-key-store", "--no-input", on: keyring).status == 64)

        keyring.freeze()
        let clock = ContinuousClock()
        let start = clock.now
        let frozen = try valise("migrate", "plan", account, "--no-input", "--json", on: keyring)
        #expect(clock.now - start < .seconds(20))
        #expect(try json(frozen)["type"] as? String == "errorKeychain")
        #expect(frozen.errors.contains("did not answer in time"))
        #expect(try valise("migrate", "plan", account, key, on: keyring).status == 0)
    }

    @Test func `a bus that never answers, or is not there, ends in time`() throws {
        let python = try #require(Program.tool("python3"))
        let path = folder.appending("bus").string
        let listener = Process()
        listener.executableURL = URL(filePath: python)
        listener.arguments = [
            "-c",
            """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
            print("there", flush=True); sys.stdin.read()
            """, path,
        ]
        let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
        listener.standardInput = input
        listener.standardOutput = output
        try listener.start()
        _ = output.fileHandleForReading.availableData
        defer {
            try? input.fileHandleForWriting.close()
            listener.waitUntilExit()
        }
        #expect(try valise("key", "list", "--store", "secret-service").status == 14)
        for (address, status) in [("unix:path=\(path)", Int32(1)), ("unix:path=\(path)-none", 64)] {
            let clock = ContinuousClock()
            let start = clock.now
            let outcome = try Program.run(
                Program.valise, ["migrate", "plan", account, "--no-input"],
                environment: [
                    "HOME": folder.appending("home").string, "DBUS_SESSION_BUS_ADDRESS": address,
                ])
            #expect(clock.now - start < .seconds(20))
            #expect(outcome.status == status, "\(address): \(outcome.errors)")
        }
    }

    private static let bare: String? = Preload.compile("bare")

    @Test(.enabled(if: bare != nil, "needs a C compiler on Linux"))
    func `a machine without keyrings runs everything else`() throws {
        let environment = [
            "LD_PRELOAD": try #require(Self.bare), "HOME": folder.appending("home").string,
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.appending("no-bus"))",
        ]
        func bare(_ arguments: String...) throws -> Program.Outcome {
            try Program.run(Program.valise, arguments, environment: environment)
        }
        let kernel = try bare("key", "store", account, key, "--store", "kernel", "--json")
        #expect(kernel.status == 14)
        #expect(try json(kernel)["type"] as? String == "errorKeychain")
        #expect(kernel.errors.contains("containers"))
        let desktop = try bare("key", "store", account, key, "--json")
        #expect(desktop.status == 14)
        #expect(desktop.errors.contains("libsecret is not installed"))
        #expect(try bare("migrate", "plan", account, "--no-input").status == 64)
        #expect(try bare("key", "list").output == "no passphrases are stored\n")
        #expect(try bare("key", "store", account, key, "--store", "file").status == 0)
        #expect(try bare("migrate", "plan", account, "--no-input").status == 0)
        #expect(try bare("key", "forget", "--yes", account).status == 0)
    }

    // MARK: New passphrases and paper

    @Test func `a generated passphrase has the official form, and is kept where it is said`() throws {
        let printed = try valise("key", "generate")
        let bytes = try #require(Data(base64Encoded: String(printed.output.dropLast())))
        #expect(bytes.count == 32 && printed.output.count == 45)
        #expect(try valise("key", "generate").output != printed.output)
        let asJSON = try json(try valise("key", "generate", "--json"))
        #expect((asJSON["passphrase"] as? String)?.count == 44)

        let file = folder.appending("new")
        #expect(
            try valise("key", "generate", "--to", file.string).output
                == "wrote a new passphrase to \(file)\n")
        #expect(try fileSystem.attributes(of: file)?.permissions == .ownerReadWrite)
        let first = try fileSystem.contents(of: file, limit: 100)
        #expect(try valise("key", "generate", "--to", file.string).status == 1)
        #expect(try fileSystem.contents(of: file, limit: 100) == first)
        #expect(try valise("key", "generate", "--to", file.string, "--force").status == 0)
        #expect(try fileSystem.contents(of: file, limit: 100) != first)

        let fresh = folder.appending("fresh").string
        #expect(try valise("account", "create", fresh, "--stored-key").status == 10)
        #expect(try valise("key", "generate", "--for", fresh, "--store", "file").status == 0)
        #expect(try valise("key", "generate", "--for", fresh, "--store", "file").status == 1)
        #expect(try valise("account", "create", fresh, "--stored-key").status == 0)
        #expect(try valise("migrate", "plan", fresh, "--no-input").status == 0)
        #expect(try valise("key", "generate", "--for", fresh, "--store", "file", "--force").status == 1)
    }

    @Test func `an account is created with its passphrase stored`() throws {
        let fresh = folder.appending("fresh").string
        let impossible = try valise("account", "create", fresh, key, "--store-key", "secret-service")
        #expect(impossible.status == 14)
        #expect(try !fileSystem.exists(FilePath(fresh)))
        #expect(try valise("account", "create", fresh, key, "--store-key", "file").status == 0)
        #expect(try valise("migrate", "plan", fresh, "--no-input").status == 0)
    }

    @Test func `a sheet is written privately, refused when it is there, and verified`() throws {
        let sheet = folder.appending("sheet.pdf")
        #expect(try valise("key", "sheet", account, wrong, "--output", sheet.string).status == 12)
        #expect(try !fileSystem.exists(sheet))
        let written = try json(try valise("key", "sheet", account, key, "--output", sheet.string, "--json"))
        #expect(written["type"] as? String == "keySheet" && written["hasCode"] as? Bool == true)
        #expect(try fileSystem.attributes(of: sheet)?.permissions == .ownerReadWrite)
        #expect(try valise("key", "sheet", account, key, "--output", sheet.string).status == 1)
        #expect(try valise("key", "sheet", account, key, "--output", sheet.string, "--force").status == 0)
        #expect(try valise("key", "sheet", account, key, "--output", "sheet").status == 64)
        #expect(try valise("key", "sheet", account, key).status == 64)
        #expect(try valise("key", "sheet", "--verify", account, key).status == 0)
        #expect(try valise("key", "sheet", "--verify", account, wrong).status == 12)
        // What is stored proves nothing about the paper.
        #expect(try valise("key", "store", account, key, "--store", "file").status == 0)
        #expect(try valise("key", "sheet", "--verify", account, "--no-input").status == 64)
        #expect(
            try valise("key", "sheet", account, "-o", folder.appending("x").string, "--format", "svg").status
                == 0)
    }
}
