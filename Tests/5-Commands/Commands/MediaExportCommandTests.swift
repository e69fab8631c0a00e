import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise media export` as a user runs it, with other programs as witnesses.
struct MediaExportCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: account, "--messages", "300", "--media-bytes", "3000000")
    }

    private var account: String { folder.appending("account").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var out: FilePath { folder.appending("out") }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    /// Python reads the manifest, and compares each line with the file that it names.
    private static let witness = """
        import hashlib, json, os, sys
        out, seen, files = sys.argv[1], set(), set()
        for line in open(out + '/manifest.jsonl', encoding='utf-8'):
            entry = json.loads(line)
            assert entry['fileId'] not in seen, entry
            seen.add(entry['fileId'])
            content = open(out + '/' + entry['path'], 'rb').read()
            assert len(content) == entry['size'], entry
            assert hashlib.sha256(content).hexdigest() == entry['sha256'], entry
            files.add(out + '/' + entry['path'])
            if entry['duplicateOf']:
                first = os.stat(out + '/' + entry['duplicateOf'])
                assert os.stat(out + '/' + entry['path']).st_ino == first.st_ino, entry
        found = {os.path.join(top, name) for top, _, names in os.walk(out) for name in names}
        found.remove(out + '/manifest.jsonl')
        assert found == files, found ^ files
        print(len(seen), len(files))
        """

    /// - Returns: how many lines the manifest has.
    private func check(_ comment: Comment) throws -> Int {
        let python = try #require(Program.tool("python3"))
        let outcome = try Program.run(python, ["-c", Self.witness, out.string])
        #expect(outcome.status == 0, "\(comment) \(outcome.errors)")
        return outcome.output.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `an export is what Python and sha256sum say that it is, and a second run adds nothing`() throws {
        let first = try Program.valise("media", "export", account, out.string, key, "--json")
        // One file of the sample account is missing.
        #expect(first.status == 3, "\(first.errors)")
        let report = try json(first)
        #expect(report["type"] as? String == "mediaExported")
        #expect(report["problemCounts"] as? [String: Int] == ["missing": 1])
        let selected = try #require(report["selected"] as? Int)
        #expect(try check("first") == selected - 1)
        let sums = try #require(Program.tool("sha256sum"))
        let manifest = try String(contentsOfFile: out.appending("manifest.jsonl").string, encoding: .utf8)
        for line in manifest.split(separator: "\n").prefix(10) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let path = try #require(object?["path"] as? String)
            let digest = try #require(object?["sha256"] as? String)
            #expect(try Program.run(sums, [out.appending(path).string]).output.hasPrefix(digest))
        }
        let before = try TemporaryFolder.contents(of: out)
        let second = try json(try Program.valise("media", "export", account, out.string, key, "--json"))
        #expect(second["copied"] as? Int == 0 && second["unchanged"] as? Int == selected - 1)
        #expect(try TemporaryFolder.contents(of: out) == before)
    }

    @Test func `a selection, a dry run, a wrong passphrase and a bad place`() throws {
        let dry = try Program.valise(
            "media", "export", account, out.string, key, "--dry-run", "--type", "voice")
        #expect(dry.status == 0 && dry.output.hasPrefix("would export"), "\(dry.errors)")
        #expect(try !fileSystem.exists(out))
        let none = try Program.valise("media", "export", account, out.string, key, "--chat", "nobody")
        #expect(none.status == 10)
        #expect(try !fileSystem.exists(out))
        let never = try Program.valise(
            "media", "export", account, out.string, key, "--since", "2024-02-01", "--before", "2024-01-01")
        #expect(never.status == 64 && never.errors.contains("--since must be earlier"), "\(never.errors)")
        let wrong = try Program.valise(
            "media", "export", account, out.string, "--passphrase-command", "echo no")
        #expect(wrong.status == 12)
        let bad = try Program.valise("media", "export", account, "\(account)/simplex_v1_files/x", key)
        #expect(bad.status == 64)
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `killed at random moments, the next run does the rest and stores nothing twice`() throws {
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let times = ProcessInfo.processInfo.environment["VALISE_SOAK"] == nil ? 12 : 300
        let seed = given ?? UInt64.random(in: 0...999_999)
        print("seed of the kills: \(seed)")
        var random = SeededGenerator(seed: seed)
        let arguments = ["media", "export", account, out.string, key, "--quiet"]
        let start = ContinuousClock.now
        #expect(try Program.run(Program.valise, arguments).status == 3)
        let duration = ContinuousClock.now - start
        let whole = try check("whole")
        let files = try TemporaryFolder.contents(of: out).count
        var unfinished = 0
        for round in 0..<times {
            if round % 3 == 0 { try fileSystem.removeTree(out) }
            let delay = duration * Double.random(in: 0...1.1, using: &random)
            let killed = try Program.run(Program.valise, arguments, killAfter: delay)
            if killed.signal == 9 { unfinished += 1 }
            guard round % 3 == 2 else { continue }
            #expect(try Program.run(Program.valise, arguments).status == 3)
            #expect(try check("killed after \(delay), seed \(seed)") == whole)
            #expect(try TemporaryFolder.contents(of: out).count == files)
        }
        print("killed \(unfinished) of \(times) runs with seed \(seed)")
    }

    private static let faults: [Faultline.Fault] = [
        .kill, .killTorn, .powerLoss, .loseData, .loseEntries, .noSpace, .ioError,
    ]

    /// Each fault at four of the operations, others than those of the next fault; with `VALISE_SOAK` at all of them.
    @Test(
        .enabled(if: Faultline.library != nil && Program.tool("python3") != nil),
        arguments: faults.indices)
    func `crashed at an operation, the next run does the rest`(_ index: Int) throws {
        let fault = Self.faults[index]
        let arguments = ["media", "export", account, out.string, key, "--quiet", "--max-size", "20kb"]
        let root = folder.path
        let save = try TemporaryFolder("valise-save")
        let (outcome, count) = try Faultline.count(arguments, root: root, report: save.appending("report"))
        #expect(outcome.status == 3, "\(outcome.errors)")
        let whole = try check("whole")
        let files = try TemporaryFolder.contents(of: out).count
        let step = FaultSweep.step(max(1, count / 4))
        let first = 1 + index * step / Self.faults.count
        for number in stride(from: first, through: count, by: step) {
            try fileSystem.removeTree(out)
            let place = save.appending("save")
            try fileSystem.removeTree(place)
            try fileSystem.makeDirectory(place)
            let crashed = try Faultline.run(arguments, fault, at: number, root: root, save: place)
            let comment: Comment = "\(fault) at \(number) of \(count): \(crashed.errors)"
            if fault == .noSpace { #expect([3, 15].contains(crashed.status), comment) }
            #expect(try Program.run(Program.valise, arguments).status == 3, comment)
            #expect(try check(comment) == whole, comment)
            #expect(try TemporaryFolder.contents(of: out).count == files, comment)
        }
    }
}
