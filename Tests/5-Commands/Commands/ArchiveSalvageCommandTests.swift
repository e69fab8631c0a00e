import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// `valise archive salvage`: its statuses and what it prints.
struct ArchiveSalvageCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private let bytes: [UInt8]
    private var broken: FilePath { folder.appending("broken.zip") }
    private var out: FilePath { folder.appending("out.zip") }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        let account = folder.appending("account").string
        let whole = folder.appending("whole.zip")
        try PreparedAccount.empty(at: account)
        #expect(try Program.valise("archive", "export", account, whole.string, "--quiet").status == 0)
        bytes = try fileSystem.contents(of: whole, limit: 1 << 28)
    }

    private func salvage(_ bytes: [UInt8], _ more: String...) throws -> Program.Outcome {
        try fileSystem.replace(broken, with: bytes)
        return try Program.run(
            Program.valise, ["archive", "salvage", broken.string, out.string, "--quiet"] + more)
    }

    private func damaged() -> [UInt8] {
        var bytes = bytes
        bytes[10_000] ^= 1
        return bytes
    }

    @Test func `0 when only the archive's structure is damaged, and the new one is good`() throws {
        let blind = try salvage([1, 2, 3] + bytes + [4])
        #expect(blind.status == 0, "\(blind.errors)")
        // Without the passphrase no more is claimed than was proved.
        #expect(blind.output.contains("contents of the databases not checked"))
        let key = "--passphrase-file=\(folder.appending("key"))"
        let outcome = try salvage([1, 2, 3] + bytes + [4], "--force", key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("the account is complete and intact\n"))
        #expect(try Program.valise("archive", "list", out.string).status == 0)
    }

    @Test func `3 when something is lost, and the text says what to do next`() throws {
        let outcome = try salvage(damaged())
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.output.contains("chat database: damaged"))
        #expect(outcome.output.contains("damaged/simplex_v1_chat.db"))
        let mark = "  hint: to recover readable data, run: valise "
        let line = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix(mark) })
        #expect(line.hasSuffix(" --force"), "\(line)")
        // What it wrote lacks the database, and another salvage would not find it.
        let verified = try Program.valise("archive", "verify", out.string)
        #expect(verified.status == 13 && verified.output.contains("chat.db is missing"), "\(verified.output)")
        #expect(!verified.output.contains("archive salvage"), "\(verified.output)")
        // The command of the hint replaces that, and asks for what it needs.
        let command = line.dropFirst(mark.count).split(separator: " ").map(String.init)
        let home = ["HOME": folder.path.string]
        let wrong = "x'" + String(repeating: "00", count: 32) + "'"
        let pasted = try Program.atTerminal(
            command, answers: [wrong, AccountState.passphrase], environment: home)
        #expect(pasted.status == 3, "\(pasted.output)")
        let purpose = "to recover data of damaged databases (Return to keep only their bytes): "
        #expect(pasted.output.contains(purpose) && pasted.output.contains("try 2 of 3"), "\(pasted.output)")
        #expect(pasted.output.contains("readable data recovered into a new one"), "\(pasted.output)")
        let never = try Program.atTerminal(command, answers: [wrong, wrong, wrong], environment: home)
        #expect(never.status == 12 && never.output.contains("all intact entries"), "\(never.output)")
        let without = try Program.atTerminal(command, answers: [""], environment: home)
        #expect(without.status == 3 && without.output.contains("kept as damaged/"), "\(without.output)")
        let key = "--passphrase-file=\(folder.appending("key"))"
        let again = try salvage(damaged(), "--force", key, "--json")
        #expect(again.status == 3, "\(again.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(again.output.utf8))
        let report = try #require(object as? [String: Any])
        #expect(report["type"] as? String == "archiveSalvaged")
        #expect(report["isImportable"] as? Bool == true)
    }

    @Test func `0 when the directory's end is cut off, and it is said that no entry is missing`() throws {
        let outcome = try salvage(Array(bytes.dropLast(30)))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("the end of the central directory is missing; all entries before it"))
        #expect(!outcome.output.contains("unrecognized"))
    }

    @Test func `10, 12 and 13, and nothing is written`() throws {
        #expect(try salvage([1, 2, 3]).status == 13)
        // The beginning of one database, which the passphrase does not open.
        let key = "--passphrase-file=\(folder.appending("key"))"
        let beginning = try salvage(Array(bytes.prefix(100)), key)
        #expect(
            beginning.status == 13 && !beginning.errors.contains("--passphrase-file"), "\(beginning.output)")
        try fileSystem.replace(folder.appending("wrong"), with: Array("wrong".utf8))
        #expect(try salvage(damaged(), "--passphrase-file=\(folder.appending("wrong"))").status == 12)
        try fileSystem.remove(broken)
        #expect(try Program.valise("archive", "salvage", broken.string, out.string).status == 10)
        #expect(try !fileSystem.exists(out))
    }
}
