import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// `valise archive verify`: its statuses, what it prints, and the report that it leaves.
struct ArchiveVerifyCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private var archive: FilePath { folder.appending("a.zip") }
    private var report: FilePath { folder.appending("report.json") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account.directory.string)
        try export()
    }

    private func export() throws {
        let exported = try Program.valise(
            "archive", "export", account.directory.string, archive.string, "--force", "--quiet")
        #expect(exported.status == 0, "\(exported.errors)")
    }

    private func execute(_ sql: String) throws {
        let connection = try Connection(
            account.path(of: .chat), mode: .readWrite,
            passphrase: SecretBytes(copying: Array(AccountState.passphrase.utf8)))
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute(sql)
    }

    private func verify(_ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["archive", "verify", archive.string] + more)
    }

    private func json(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func changeArchive(_ body: (inout [UInt8]) -> Void) throws {
        var bytes = try fileSystem.contents(of: archive, limit: 1 << 26)
        body(&bytes)
        try fileSystem.replace(archive, with: bytes)
    }

    // MARK: Statuses

    @Test func `a good archive is 0, with a verdict and no next step`() throws {
        let outcome = try verify(key)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("  ok    chat        "))
        #expect(
            outcome.output.hasSuffix("the archive is intact; ready to import\n"))
        #expect(!outcome.output.contains("not verified"))
    }

    private func shell(_ script: String) throws -> Program.Outcome {
        try Program.run(
            "/bin/sh",
            ["-c", script, "sh", Program.valise, "archive", "verify", archive.string, key, "--json"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a result that cannot be written is a failure`() throws {
        let outcome = try shell("\"$@\" >/dev/full")
        #expect(outcome.status == 15, "\(outcome.errors)")
        #expect(outcome.errors.contains("cannot write the result to standard output"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        // Only what changes something has changes to keep.
        #expect(!outcome.errors.contains("Changes"), "\(outcome.errors)")
        for (options, isKept) in [(" --dry-run", false), ("", true)] {
            let salvaged = try Program.run(
                "/bin/sh",
                [
                    "-c", "\"$@\"\(options) >/dev/full", "sh", Program.valise, "archive", "salvage",
                    archive.string, folder.appending("new.zip").string, key,
                ])
            #expect(salvaged.status == 15, "\(salvaged.errors)")
            #expect(salvaged.errors.contains("Changes already made are kept.") == isKept)
        }
        // Whoever closed the pipe has seen enough.
        #expect(try shell("{ sleep 0.2; \"$@\"; echo $? >&2; } | true").errors == "0\n")
    }

    @Test func `advice is given only where it works`() throws {
        for database in AccountDatabase.allCases {
            let connection = try Connection(
                account.path(of: database), mode: .readWrite,
                passphrase: SecretBytes(copying: Array(AccountState.passphrase.utf8)))
            try connection.execute(
                "DELETE FROM migrations; INSERT INTO migrations (name, ts) VALUES ('20220101_initial', '2022-01-01')"
            )
        }
        try export()
        let verified = try verify(key)
        #expect(verified.status == 0, "\(verified.output)")
        #expect(verified.output.contains("the app upgrades"), "\(verified.output)")
        #expect(!verified.output.contains("migrate run"), "\(verified.output)")
        let status = try Program.valise("account", "status", account.directory.string, key)
        #expect(
            status.output.contains("official") && !status.output.contains("migrate run"), "\(status.output)")
        let run = try Program.valise("migrate", "run", account.directory.string, key, "--confirm", "yesUp")
        #expect(run.status == 14, "\(run.errors)")
    }

    @Test func `marks that turn the direction of text reach no terminal, in names, paths and JSON`() throws {
        let name = "photo\u{202e}gpj\u{200f}\u{61c}\u{2066}.exe"
        try fileSystem.makeDirectories(account.directory.appending("simplex_v1_files"))
        try fileSystem.replace(account.directory.appending("simplex_v1_files/\(name)"), with: [1])
        try execute(
            """
            INSERT INTO users (user_id, contact_id, local_display_name, active_user, agent_user_id)
            VALUES (1, 1, 'ali\u{202e}ce', 1, 1);
            INSERT INTO files (file_id, user_id, file_name, file_path, file_size, chunk_size, ci_file_status, created_at, updated_at)
            VALUES (1, 1, 'x', 'missing\u{202e}gpj.exe', 100, 100, 'rcv_complete', '2024-01-01', '2024-01-01')
            """)
        try export()
        for arguments in [
            ["archive", "list", archive.string], ["archive", "list", archive.string, "--json"],
            ["archive", "verify", archive.string, key], ["archive", "verify", archive.string, key, "--json"],
            ["account", "status", account.directory.string, key],
            ["account", "check", account.directory.string, key],
            ["media", "audit", account.directory.string, key],
            ["media", "audit", account.directory.string, key, "--json"],
            ["archive", "extract", archive.string, folder.appending("out").string, "*missing\u{202e}*"],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            let text = outcome.output + outcome.errors
            #expect(!text.isEmpty, "\(arguments)")
            let marks = text.unicodeScalars.filter {
                [0x61c, 0x200e, 0x200f].contains($0.value) || (0x202a...0x202e).contains($0.value)
                    || (0x2066...0x2069).contains($0.value)
            }
            #expect(marks.isEmpty, "\(arguments)")
        }
        let listed = try json(Program.valise("archive", "list", archive.string, "--json").output)
        let names = try #require(listed["entries"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(names.contains("simplex_v1_files/\(name)"))
    }

    @Test func `a file of zeros is exported, verified and imported, with the limits as they are`() throws {
        let zeros = [UInt8](repeating: 0, count: 50 << 20)
        try fileSystem.makeDirectories(account.directory.appending("simplex_v1_files"))
        try fileSystem.replace(account.directory.appending("simplex_v1_files/zeros.bin"), with: zeros)
        try export()
        #expect(try fileSystem.attributes(of: archive)?.size ?? 0 < 4 << 20)
        let verified = try verify(key)
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
        let other = folder.appending("other")
        let imported = try Program.valise("archive", "import", archive.string, other.string, key, "--quiet")
        #expect(imported.status == 0, "\(imported.output)\(imported.errors)")
        #expect(
            try fileSystem.contents(of: other.appending("simplex_v1_files/zeros.bin"), limit: 1 << 30)
                == zeros)
        for tool in [["unzip", "-tq"], ["python3", "-m", "zipfile", "-t"]] {
            guard let path = Program.tool(tool[0]) else { continue }
            #expect(try Program.run(path, tool.dropFirst() + [archive.string]).status == 0, "\(tool)")
        }
    }

    @Test func `without a passphrase it is 0 and says what is not proved, and asks nobody`() throws {
        let outcome = try verify()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("not verified: page integrity: no passphrase given"))
        #expect(outcome.output.contains("databases not verified: no passphrase given"))
    }

    @Test func `a wrong passphrase is 12`() throws {
        let wrong = folder.appending("wrong")
        try fileSystem.replace(wrong, with: Array("x'\(String(repeating: "00", count: 32))'".utf8))
        let outcome = try verify("--passphrase-file=\(wrong)")
        #expect(outcome.status == 12)
        #expect(outcome.output.contains("wrong passphrase"))
    }

    @Test func `a missing file is 3, and no word of damage but that there is none`() throws {
        try execute(
            """
            INSERT INTO users (contact_id, local_display_name, agent_user_id) VALUES (1, 'a', 1);
            INSERT INTO files (user_id, file_name, file_path, file_size, chunk_size, ci_file_status)
            VALUES (1, 'a.jpg', 'a.jpg', 10, 10, 'snd_stored')
            """)
        try export()
        let outcome = try verify(key, "--json")
        // The user has no contact and no agent, which is damage of its own.
        #expect(outcome.status == 13)
        let sample = folder.appending("sample")
        try PreparedAccount.sample(at: sample.string)
        let exported = try Program.valise(
            "archive", "export", sample.string, archive.string, "--force", "--quiet")
        #expect(exported.status == 0)
        let missing = try verify(key)
        #expect(missing.status == 3, "\(missing.output)")
        #expect(
            missing.output.contains("both databases are intact; some media are missing from the archive"))
    }

    @Test(arguments: [false, true])
    func `a file that is no archive is said to be none, in one sentence`(isQuiet: Bool) throws {
        try fileSystem.replace(archive, with: Array("Dear Alice,\n".utf8))
        let outcome = try isQuiet ? verify("--quiet") : verify()
        #expect(outcome.status == 13)
        #expect(
            outcome.output == """
                \(archive): not an archive that can be read
                hint: archives are zip, tar (also with gzip, xz or Zstandard), cpio and 7z files

                """)
    }

    @Test func `damage is 13, a feature that is not supported and a newer schema 14, nothing there 10`()
        throws
    {
        try changeArchive { $0.removeLast(1000) }
        let cut = try verify(key)
        #expect(cut.status == 13)
        #expect(cut.output.contains("run: valise archive salvage "))
        // The next command needs the same passphrase.
        let file = try verify("--passphrase-file", folder.appending("key").string)
        #expect(file.output.contains(" --passphrase-file \(folder.appending("key"))\n"), "\(file.output)")
        try export()
        try changeArchive { bytes in
            let central = (0..<bytes.count).first { bytes[$0...].starts(with: [0x50, 0x4b, 1, 2]) } ?? 0
            bytes[8] = 12
            bytes[central + 10] = 12
        }
        #expect(try verify(key).status == 14)
        try execute("INSERT INTO migrations (name, ts) VALUES ('9999_later', '2030-01-01')")
        try export()
        let newer = try verify(key)
        #expect(newer.status == 14)
        #expect(newer.output.contains("made by a newer program") && newer.output.contains("9999_later"))
        try fileSystem.remove(archive)
        #expect(try verify(key).status == 10)
    }

    @Test(arguments: [[], Array("hello\n".utf8), [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)])
    func `what has no entry is not to be salvaged`(bytes: [UInt8]) throws {
        try fileSystem.replace(archive, with: bytes)
        let outcome = try verify(key)
        #expect(outcome.status == 13 && !outcome.output.contains("salvage"), "\(outcome.output)")
    }

    // MARK: For scheduled jobs

    @Test func `quiet says nothing of a good archive, and only what is wrong of another`() throws {
        let good = try verify(key, "--quiet")
        #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty)
        try changeArchive { $0.removeLast(1000) }
        let bad = try verify(key, "--quiet")
        #expect(bad.status == 13)
        #expect(bad.output.contains("  BAD   structure"))
        #expect(!bad.output.contains("  ok "))
    }

    @Test func `the report has the date and all of the JSON, and takes the place of the last one`() throws {
        let printed = try json(try verify(key, "--json", "--report", report.string).output)
        #expect(printed["type"] as? String == "archiveVerification")
        #expect(printed["verdict"] as? String == "good")
        let first = try fileSystem.contents(of: report, limit: 1 << 20)
        let written = try json(String(decoding: first, as: UTF8.self))
        for name in printed.keys { #expect(written[name] != nil, "\(name)") }
        #expect((written["date"] as? String)?.hasSuffix("Z") == true)
        #expect((written["program"] as? String)?.hasPrefix("valise ") == true)
        #expect(written["archive"] as? String == archive.string)
        #expect(try fileSystem.attributes(of: report)?.permissions == [.ownerRead, .ownerWrite])

        try changeArchive { $0.removeLast(1000) }
        #expect(try verify(key, "--quiet", "--report", report.string).status == 13)
        let second = try fileSystem.contents(of: report, limit: 1 << 20)
        #expect(try json(String(decoding: second, as: UTF8.self))["verdict"] as? String == "damaged")
    }

    @Test func `what is no report is not replaced, and nothing is done`() throws {
        try fileSystem.replace(report, with: Array("{\"type\":\"diary\"}".utf8))
        let outcome = try verify(key, "--report", report.string)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("not a verification report"))
        #expect(try fileSystem.contents(of: report, limit: 100).count == 16)
        #expect(try verify(key, "--report", folder.appending("no/where.json").string).status == 10)
    }

    @Test func `nothing is left in the folder but the report`() throws {
        let before = try TemporaryFolder.contents(of: folder.path)
        #expect(try verify(key, "--report", report.string).status == 0)
        let after = try TemporaryFolder.contents(of: folder.path)
        #expect(Set(after.keys).subtracting(before.keys) == ["report.json"])
    }
}
