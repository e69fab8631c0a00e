import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise archive export` of parts, and `valise archive extract`, as a user runs them.
struct ArchivePartCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder("valise-parts", inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: account, "--messages", "120", "--media-bytes", "1000000")
    }

    private var account: String { folder.appending("account").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var archive: String { folder.appending("a.zip").string }
    private var out: FilePath { folder.appending("out") }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    private func export(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        try Program.run(
            Program.valise, ["archive", "export", account, archive] + arguments, environment: environment)
    }

    private func extract(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["archive", "extract", archive] + arguments)
    }

    // MARK: Export

    @Test func `a partial archive says so, and is imported`() throws {
        let report = try export("--chat", "*", "--media-since", "2026-01-01", key, "--json")
        #expect(report.status == 0, "\(report.errors)")
        let partial = try #require(try json(report)["partial"] as? [String: Any])
        #expect(partial["kind"] as? String == "selectedMedia" && partial["chats"] as? [String] == ["*"])
        #expect(partial["since"] as? String == "2026-01-01T00:00:00Z")
        #expect((partial["leftOut"] as? [String])?.count == partial["leftOutFiles"] as? Int)
        let copy = folder.appending("copy").string
        #expect(try Program.valise("archive", "import", archive, copy, key).status == 0)

        let text = try export("--only-databases", "--force")
        #expect(text.status == 0 && text.output.contains("partial archive: "), "\(text.errors)")
        #expect(text.output.contains("an import elsewhere lacks the files left out"))
        #expect(try json(try export("--force", "--json"))["partial"] == nil)
    }

    @Test func `options that contradict, an unknown chat, and a passphrase that is needed`() throws {
        #expect(try export("--only-databases", "--without-media").status == 64)
        #expect(try export("--without-media", "--chat", "*", key).status == 64)
        #expect(try export("--media-since", "yesterday", key).status == 64)
        #expect(try export("--chat", "nobody", key).status == 10)
        #expect(try export("--chat", "*", "--no-input").status == 64)
        #expect(try export("--chat", "*", "--passphrase-command", "echo no").status == 12)
        #expect(try !fileSystem.exists(FilePath(archive)))
    }

    @Test func `to compress hard and not at all contradict`() throws {
        #expect(try export("--no-compression", "--level", "9").status == 64)
        #expect(try export("--level", "0").status == 64)
        #expect(try export("--no-compression").status == 0)
        #expect(try export("--level", "9", "--force").status == 0)
    }

    @Test(arguments: [["--force"], ["--force", "--dry-run"]])
    func `an export replaces nothing of the account, no folder and no pipe`(_ options: [String]) throws {
        func export(_ target: String) throws -> Program.Outcome {
            try Program.run(Program.valise, ["archive", "export", account, target] + options)
        }
        try fileSystem.makeDirectory(folder.appending("empty"))
        #expect(folder.appending("pipe").withPlatformString { mkfifo($0, 0o600) } == 0)
        let before = try TemporaryFolder.contents(of: FilePath(account))
        for name in [
            "simplex_v1_chat.db", "simplex_v1_chat.db-wal", "simplex_v1_files/../simplex_v1_agent.db",
        ] {
            let outcome = try export("\(account)/\(name)")
            #expect(outcome.status != 0 && outcome.errors.contains("belongs to the account"), "\(name)")
        }
        for (name, status, thing) in [("empty", 1, "a folder"), ("pipe", 14, "a device, pipe")] {
            let outcome = try export(folder.appending(name).string)
            #expect(
                outcome.status == status && outcome.errors.contains(thing), "\(outcome.errors)")
        }
        #expect(try TemporaryFolder.contents(of: FilePath(account)) == before)
        #expect(try fileSystem.attributes(of: folder.appending("pipe"))?.kind == .special)
        #expect(try export("\(account)/backup.zip").status == 0)
    }

    /// Prefix and folder names are Android's.
    @Test func `an Android account is exported with its media, verified, and imported as any other`() throws {
        let android = folder.appending("android").string
        try PreparedAccount.sample(at: android, "--prefix", "files", "--messages", "120")
        #expect(try fileSystem.exists(FilePath("\(android)/files/app_files/photo_0001.jpg")))
        #expect(try !fileSystem.exists(FilePath("\(android)/files_files")))
        let report = try Program.valise("archive", "export", android, archive, key, "--json")
        #expect(report.status == 0, "\(report.errors)")
        let expected = try TemporaryFolder.contents(of: FilePath(android)).compactMapValues(\.self)
        #expect(try json(report)["entries"] as? Int == expected.count && expected.count > 10)
        // One file of the sample account is missing.
        let verified = try Program.valise("archive", "verify", archive, key)
        #expect(verified.status == 3, "\(verified.output)")
        #expect(try Program.valise("archive", "import", archive, out.string, key).status == 0)
        let names = [
            ("files_chat.db", "simplex_v1_chat.db"), ("files_agent.db", "simplex_v1_agent.db"),
            ("files/app_files/", "simplex_v1_files/"), ("files/assets/", "simplex_v1_assets/"),
        ]
        let found = try TemporaryFolder.contents(of: out).compactMapValues(\.self)
        #expect(found.count == expected.count)
        for (path, bytes) in expected {
            let (from, to) = try #require(names.first { path.hasPrefix($0.0) }, "\(path)")
            #expect(found[to + path.dropFirst(from.count)] == bytes, "\(path)")
        }
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `a list that is cut says what JSON has`() throws {
        for number in 0..<1100 {
            _ = try fileSystem.create(FilePath("\(account)/simplex_v1_files/n\(number)"))
        }
        let left = try export("--without-media")
        #expect(left.output.contains(" more; --json lists them"), "\(left.output)")
        let partial =
            try json(try export("--without-media", "--force", "--json"))["partial"] as? [String: Any]
        #expect((partial?["leftOut"] as? [String])?.count ?? 0 > 1100)
        let added = try Program.run(
            try #require(Program.tool("python3")),
            [
                "-c",
                "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'a')\n"
                    + "for n in range(1100): z.writestr(f'foreign{n}', '')\nz.close()", archive,
            ])
        #expect(added.status == 0, "\(added.errors)")
        let verified = try Program.valise("archive", "verify", archive, key)
        #expect(verified.output.contains(" more; --json lists the first 1000"), "\(verified.output)")
    }

    @Test func `a dry run writes nothing`() throws {
        let before = try TemporaryFolder.contents(of: folder.path)
        let plan = try export("--without-media", "--dry-run", "--json")
        #expect(plan.status == 0)
        #expect(try json(plan)["type"] as? String == "archiveExportPlan")
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
    }

    /// Whatever the zone, the language and the mask are.
    @Test func `reproducible archives are equal, and sha256sum says what the report does`() throws {
        var digests: Set<String> = []
        for zone in ["UTC", "America/St_Johns", "Asia/Kathmandu"] {
            let environment = ["TZ": zone, "LC_ALL": zone == "UTC" ? "C" : "C.UTF-8"]
            let masked = try Program.run(
                "/bin/sh",
                [
                    "-c", "umask \(zone == "UTC" ? "000" : "077"); exec \"$@\"", "sh", Program.valise,
                    "archive",
                    "export", account, archive, "--force", "--reproducible", "--json",
                ], environment: environment)
            #expect(masked.status == 0, "\(masked.errors)")
            digests.insert(try #require(try json(masked)["sha256"] as? String))
        }
        #expect(digests.count == 1)
        guard let tool = Program.tool("sha256sum") else { return }
        #expect(try Program.run(tool, [archive]).output.hasPrefix(try #require(digests.first)))
    }

    // MARK: Extract

    @Test func `some entries, all, and again`() throws {
        #expect(try export().status == 0)
        let some = try extract("*.db", "-C", out.string)
        #expect(some.status == 0 && some.output.hasPrefix("extracted 2 files"), "\(some.errors)")
        // With databases in it the folder holds an account.
        let more = try extract("-C", out.string, "--force")
        #expect(more.status == 1 && more.errors.contains("this folder contains an account"))
        #expect(more.errors.split(separator: "\n").count == 2, "\(more.errors)")
        try fileSystem.removeTree(out)
        #expect(try extract("photo*", "-C", out.string).status == 0)
        let all = try extract("-C", out.string)
        #expect(all.status == 3 && all.errors.contains("already exists"))
        #expect(all.errors.components(separatedBy: "--force").count == 2, "\(all.errors)")
        #expect(try TemporaryFolder.contents(of: out) == TemporaryFolder.contents(of: FilePath(account)))
        try fileSystem.removeTree(out)
        #expect(try extract("photo*", "-C", out.string).status == 0)
        #expect(try extract("photo*", "-C", out.string, "--force").status == 0)
    }

    @Test func `of many files that exist the first are named`() throws {
        let media = FilePath(account).appending("simplex_v1_files")
        for number in 0..<30 { try fileSystem.replace(media.appending("many\(number).txt"), with: [1]) }
        #expect(try export().status == 0)
        #expect(try extract("many*", "-C", out.string).status == 0)
        let again = try extract("many*", "-C", out.string)
        #expect(again.status == 3 && again.errors.contains("and 10 more; --json"), "\(again.errors)")
        #expect(again.errors.split(separator: "\n").count == 23, "\(again.errors)")
    }

    @Test func `statuses and JSON`() throws {
        #expect(try export().status == 0)
        let partly = try extract("photo*", "nothing", "-C", out.string, "--json")
        #expect(partly.status == 3)
        #expect(try json(partly)["type"] as? String == "archiveExtracted")
        #expect(try json(partly)["unmatched"] as? [String] == ["nothing"])
        let other = folder.appending("other")
        #expect(try extract("nothing", "-C", other.string).status == 10)
        #expect(try extract("photo*", "-C", other.string, "--decrypt-media", "--no-input").status == 64)
        #expect(
            try extract(
                "photo*", "-C", other.string, "--decrypt-media", "--passphrase-command", "echo no"
            ).status == 12)
        #expect(try extract("photo*").status == 64)
        let dry = try extract("photo*", "-C", other.string, "--dry-run")
        #expect(dry.status == 0 && dry.output.hasPrefix("would extract"))
        #expect(try !fileSystem.exists(other))
        try fileSystem.replace(FilePath(archive), with: Array("no archive".utf8))
        #expect(try extract("-C", other.string).status == 13)
        #expect(try Program.valise("archive", "extract", "/nowhere.zip", "-C", other.string).status == 10)
    }

    /// The manifest of an export of media says what each file is, decrypted.
    @Test func `decrypted media have the digests of an export of media`() throws {
        #expect(try export().status == 0)
        let extracted = try extract("simplex_v1_files/*", "-C", out.string, "--decrypt-media", key, "--json")
        #expect(extracted.status == 0, "\(extracted.errors)")
        #expect(try json(extracted)["decrypted"] as? Int ?? 0 > 5)
        let media = folder.appending("media")
        // One file of the sample account is missing.
        #expect(try Program.valise("media", "export", account, media.string, key).status == 3)
        // They have other names there.
        func contents(_ folder: FilePath) throws -> [[UInt8]] {
            var files = try TemporaryFolder.contents(of: folder).compactMapValues(\.self)
            files["manifest.jsonl"] = nil
            return files.values.sorted { $0.lexicographicallyPrecedes($1) }
        }
        #expect(try contents(out) == contents(media))
    }

    @Test(.enabled(if: Faultline.library != nil), arguments: [Faultline.Fault.kill, .powerLoss, .noSpace])
    func `crashed at an operation, what has a name is whole, and the next run does the rest`(
        _ fault: Faultline.Fault
    ) throws {
        #expect(try export().status == 0)
        let arguments = [
            "archive", "extract", archive, "photo*", "*.db", "-C", out.string, "--force", "--quiet",
            "--decrypt-media", key,
        ]
        let save = try TemporaryFolder("valise-save", inMemory: true)
        let root = folder.path
        let (outcome, count) = try Faultline.count(arguments, root: root, report: save.appending("report"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let whole = try TemporaryFolder.contents(of: out)
        let step = ProcessInfo.processInfo.environment["VALISE_SOAK"] == nil ? max(1, count / 8) : 1
        for number in stride(from: 1, through: count, by: step) {
            try fileSystem.removeTree(out)
            let place = save.appending("save")
            try fileSystem.removeTree(place)
            try fileSystem.makeDirectory(place)
            _ = try Faultline.run(arguments, fault, at: number, root: root, save: place)
            if try fileSystem.exists(out) {
                for (path, bytes) in try TemporaryFolder.contents(of: out) {
                    guard !path.hasPrefix(".valise-extract") else { continue }
                    #expect(bytes == whole[path], "\(fault) at \(number) of \(count): \(path)")
                }
            }
            // With its first database the folder holds an account: only the other one can be missing then.
            let holdsAccount =
                try fileSystem.exists(out.appending("simplex_v1_agent.db"))
                || fileSystem.exists(out.appending("simplex_v1_chat.db"))
            let next = try Program.run(Program.valise, arguments).status
            #expect(next == (holdsAccount ? 1 : 0), "\(fault) at \(number) of \(count)")
            let missing = Set(whole.keys).subtracting(try TemporaryFolder.contents(of: out).keys)
            #expect(missing.count <= (holdsAccount ? 1 : 0), "\(fault) at \(number) of \(count)")
            #expect(missing.allSatisfy { $0.hasSuffix(".db") })
        }
    }
}
