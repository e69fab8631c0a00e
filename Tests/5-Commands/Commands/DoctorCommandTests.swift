import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// The check of an installation as a user runs it.
struct DoctorCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder("valise-doctor", inMemory: true) }

    private func doctor(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["doctor"] + arguments, environment: ["HOME": folder.path.string])
    }

    private func checks(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        #expect(outcome.json?["type"] as? String == "diagnosis", "\(outcome.errors)")
        return try #require(outcome.json?["checks"] as? [[String: Any]])
    }

    private func texts(_ checks: [[String: Any]], _ check: String, _ state: String) -> [String] {
        checks.filter { $0["check"] as? String == check && $0["state"] as? String == state }
            .compactMap { $0["text"] as? String }
    }

    private func keepOut(_ folder: FilePath) -> String {
        "to keep other users out, run: chmod 700 \(folder)"
    }

    // MARK: Findings

    @Test func `a new home has no problem but what the machine has`() throws {
        let outcome = try doctor("--json")
        let found = try checks(outcome)
        let problems = found.filter { $0["state"] as? String == "problem" }
        #expect(outcome.status == (problems.isEmpty ? 0 : 1), "\(problems)")
        #expect(outcome.json?["problems"] as? Int == problems.count)
        // Nobody can do anything about the processor.
        let helpless = found.filter {
            $0["state"] as? String != "ok" && $0["check"] as? String != "engine"
                && ($0["hint"] as? [String] ?? []).isEmpty
        }
        #expect(helpless.isEmpty, "\(helpless)")
        // Containers have odd keyrings and limits.
        let ofMachine: Set<String> = ["keyStore", "memory", "space"]
        #expect(problems.allSatisfy { ofMachine.contains($0["check"] as? String ?? "") }, "\(problems)")
        #expect(
            Set(found.compactMap { $0["check"] as? String }) == [
                "library", "engine", "memory", "coreDumps", "keyStore", "space", "clock", "permissions",
                "jobs", "leftovers",
            ])
        let libraries = texts(found, "library", "ok")
        for name in [
            "SQLCipher 4", "OpenSSL 3", "libsodium 1", "zlib 1", "libdeflate 1", "libarchive 3", "zxcvbn",
            "Swift 6",
        ] {
            #expect(libraries.contains { $0.hasPrefix(name) }, "\(name): \(libraries)")
        }
        #expect(libraries.contains("zxcvbn is available, without a version number"))
        #expect(texts(found, "coreDumps", "ok") == ["core dumps are off"])
        // It looks, and makes nothing.
        #expect(try fileSystem.list(folder.path).isEmpty)
    }

    @Test func `what others have access to is a problem, and its hint heals it`() throws {
        let state = folder.appending(".local/state/valise")
        try fileSystem.makeDirectories(state.appending("moves"))
        try fileSystem.replace(state.appending("moves").appending("a b"), with: [1])
        #expect(try texts(checks(doctor("--json")), "permissions", "problem").isEmpty)
        try fileSystem.setPermissions(
            [.ownerReadWrite, .groupRead, .otherRead], of: state.appending("moves").appending("a b"))
        let open = try doctor()
        #expect(open.status == 1 && open.output.contains("such as \(state)/moves/a b"), "\(open.output)")
        let mark = "hint: to keep other users out, run: "
        let line = try #require(open.output.split(separator: "\n").first { $0.contains(mark) })
        let command = String(line.trimmingPrefix { $0 == " " }.dropFirst(mark.count))
        #expect(command == "chmod -R go= \(state)")
        #expect(try Program.run("/bin/sh", ["-c", command]).status == 0)
        #expect(try texts(checks(doctor("--json")), "permissions", "problem").isEmpty)

        try fileSystem.setPermissions([.ownerReadWriteExecute, .otherExecute], of: state)
        let found = try checks(doctor("--json"))
        #expect(
            texts(found, "permissions", "problem") == ["others have access to the state folder, \(state)"])
        #expect(found.contains { $0["hint"] as? [String] == [keepOut(state)] }, "\(found)")
    }

    @Test func `an account that others can read is a problem only where they can get to it`() throws {
        let account = folder.appending("account")
        try fileSystem.makeDirectory(account)
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            try fileSystem.replace(
                account.appending(name), with: [UInt8](repeating: 1, count: 4096),
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        }
        // What a umask took away.
        let database = account.appending("simplex_v1_chat.db")
        try fileSystem.setPermissions([.ownerReadWrite, .groupRead, .otherRead], of: database)
        let closed = try checks(doctor(account.string, "--json"))
        #expect(texts(closed, "permissions", "problem").isEmpty, "\(closed)")

        for path in [folder.path, account] {
            try fileSystem.setPermissions(
                [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute], of: path)
        }
        let open = try checks(doctor(account.string, "--json"))
        #expect(
            texts(open, "permissions", "problem") == [
                "others have access to files of the account, such as \(database)"
            ], "\(open)")
        #expect(open.contains { $0["hint"] as? [String] == [keepOut(account)] }, "\(open)")
        #expect(try doctor(folder.appending("none").string).status == 10)
    }

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func `a side file that others can read is a problem like its database`(suffix: String) throws {
        let account = folder.appending("account")
        try fileSystem.makeDirectory(account)
        let side = account.appending("simplex_v1_chat.db\(suffix)")
        try fileSystem.replace(account.appending("simplex_v1_chat.db"), with: [1])
        try fileSystem.replace(side, with: [1])
        for path in [folder.path, account] {
            try fileSystem.setPermissions(
                [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute], of: path)
        }
        #expect(try texts(checks(doctor(account.string, "--json")), "permissions", "problem").isEmpty)
        try fileSystem.setPermissions([.ownerReadWrite, .groupRead, .otherRead], of: side)
        #expect(
            try texts(checks(doctor(account.string, "--json")), "permissions", "problem") == [
                "others have access to files of the account, such as \(side)"
            ])
    }

    @Test func `a file from the future is noted`() throws {
        let account = folder.appending("account")
        try fileSystem.makeDirectory(account)
        let database = account.appending("simplex_v1_chat.db")
        try fileSystem.replace(database, with: [1])
        // A container's clock may be synchronized by nobody, which is a note too.
        func notes() throws -> [String] {
            try texts(checks(doctor(account.string, "--json")), "clock", "note").filter {
                $0.contains("of the account")
            }
        }
        #expect(try notes().isEmpty)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 3 * 86_400)], ofItemAtPath: database.string)
        let found = try notes()
        #expect(found.count == 1 && found[0].hasPrefix("1 file of the account changed in the future"))
    }

    @Test func `jobs that cannot be read are a problem, and its hint heals it`() throws {
        let jobs = folder.appending(".local/state/valise/jobs")
        try fileSystem.makeDirectories(jobs)
        for name in ["key", "queue.db"] { try fileSystem.replace(jobs.appending(name), with: [1, 2, 3]) }
        let found = try checks(doctor("--json"))
        let line = try #require(found.first { $0["check"] as? String == "jobs" }, "\(found)")
        #expect(line["state"] as? String == "problem", "\(line)")
        let hint = try #require((line["hint"] as? [String])?.first, "\(line)")
        let command = "mv \(jobs) \(jobs).old"
        #expect(hint.hasSuffix(", run: \(command)"), "\(hint)")
        #expect(try Program.run("/bin/sh", ["-c", command]).status == 0)
        #expect(try texts(checks(doctor("--json")), "jobs", "ok") == ["no unfinished jobs"])
    }

    // MARK: Relays

    @Test func `relays are reached when one asks for it, and only then`() throws {
        let relay = try TestRelay(folder.appending("relay"))
        let found = try checks(doctor("--server", relay.address, "--json"))
        let reached = texts(found, "relay", "ok")
        #expect(reached.count == 1 && reached[0].contains("can be reached: connected in "), "\(found)")
        relay.stop()
        let gone = try doctor("--server", relay.address)
        #expect(gone.status == 1 && gone.output.contains(" cannot be reached: "), "\(gone.output)")
        #expect(gone.output.contains("\n         hint: check the relay's address"), "\(gone.output)")
        // Its name and what failed are said once.
        #expect(!gone.output.contains("cannot connect"), "\(gone.output)")
        #expect(try !checks(doctor("--json")).contains { $0["check"] as? String == "relay" })
        let none = try texts(checks(doctor("--relays", "--json")), "relay", "note")
        #expect(none == ["your list has no relays"])
    }

    @Test func `a list with passwords that others can read is a problem, and its hint heals it`() throws {
        let configuration = folder.appending(".config/valise")
        try fileSystem.makeDirectories(configuration)
        let list = configuration.appending("relays")
        let fingerprint = String(repeating: "A", count: 43) + "="
        try fileSystem.replace(list, with: Array("xftp://\(fingerprint):secret@127.0.0.1:1\n".utf8))
        try fileSystem.setPermissions([.ownerReadWrite, .groupRead], of: list)
        let found = try checks(doctor("--relays", "--json")).filter { $0["check"] as? String == "relay" }
        #expect(found.count == 1, "\(found)")
        let hint = try #require((found.first?["hint"] as? [String])?.first, "\(found)")
        let command = "chmod 600 \(list)"
        #expect(hint == "to keep other users out, run: \(command)")
        #expect(try Program.run("/bin/sh", ["-c", command]).status == 0)
        // Nothing listens there.
        let healed = try texts(checks(doctor("--relays", "--json")), "relay", "problem")
        #expect(healed.count == 1 && healed[0].contains(" cannot be reached: "), "\(healed)")
    }

    @Test func `a relay with a password is not taken as an argument`() throws {
        let fingerprint = String(repeating: "A", count: 43) + "="
        let outcome = try doctor("--server", "xftp://\(fingerprint):secret@127.0.0.1")
        #expect(outcome.status == 64, "\(outcome.output)")
    }
}
