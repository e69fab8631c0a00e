import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// `valise media purge` as a user runs it.
struct MediaPurgeCommandTests {
    private let folder: TemporaryFolder
    private let template: FilePath
    private let fileSystem = FileSystem()
    private let superfluous = [
        "simplex_v1_files/no message.jpg", "simplex_v1_files/sub/deep.jpg", "tmp/upload", "old.zip.partial",
    ]

    init() throws {
        folder = try TemporaryFolder()
        template = folder.appending("template")
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: template.string, "--messages", "200")
        for name in superfluous {
            let path = template.appending(name)
            try fileSystem.makeDirectories(path.parentFolder)
            try fileSystem.replace(path, with: Array(name.utf8))
        }
        try fileSystem.makeDirectory(account.parentFolder)
        try TemporaryFolder.copyTree(template, to: account)
    }

    private static let faults: [Faultline.Fault] =
        ProcessInfo.processInfo.environment["VALISE_SOAK"] == nil
        ? [.kill, .powerLoss, .loseEntries, .noSpace, .ioError] : Faultline.Fault.allCases

    private var account: FilePath { folder.appending("root/account") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    private func renew() throws {
        try fileSystem.removeTree(account)
        try TemporaryFolder.copyTree(template, to: account)
    }

    /// All files but the databases, those in the folders of purges by their previous names.
    private func files() throws -> [String: [[UInt8]]] {
        var found: [String: [[UInt8]]] = [:]
        for (path, bytes) in try TemporaryFolder.contents(of: account) {
            guard let bytes, !path.hasSuffix(".db") else { continue }
            let name = path.hasPrefix("valise-purged-") ? path.drop { $0 != "/" }.dropFirst() : path[...]
            found[String(name), default: []].append(bytes)
        }
        return found
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `lists, moves, and has nothing left to do`() throws {
        let before = try TemporaryFolder.contents(of: account)
        let plan = try Program.valise("media", "purge", account.string, key, "--dry-run", "--json")
        #expect(plan.status == 0, "\(plan.errors)")
        let items = try #require(try json(plan)["items"] as? [[String: Any]])
        #expect(Set(items.compactMap { $0["path"] as? String }) == Set(superfluous))
        #expect(try TemporaryFolder.contents(of: account) == before)
        let files = try files()
        let moved = try Program.valise("media", "purge", account.string, key)
        #expect(moved.status == 0 && moved.output.contains("unreferenced"), "\(moved.errors)")
        #expect(try self.files() == files)
        for name in superfluous { #expect(try !fileSystem.exists(account.appending(name))) }
        let again = try Program.valise("media", "purge", account.string, key)
        #expect(again.output == "nothing to purge\n" && again.status == 0)
    }

    @Test func `on a terminal what is said before the question breaks at words too`() throws {
        try fileSystem.replace(account.appending("simplex_v1_chat.db.bak"), with: [1])
        let shown = try Program.atTerminal(
            ["media", "purge", account.string, key, "--quiet"], environment: ["COLUMNS": "60"])
        #expect(shown.status == 0, "\(shown.output)")
        #expect(shown.output.contains("note: kept simplex_v1_chat.db.bak, a previous database"))
        // Paths are never broken.
        let lines = shown.output.split(whereSeparator: \.isNewline).filter { !$0.contains("/") }
        #expect(lines.allSatisfy { $0.count <= 60 }, "\(shown.output)")
    }

    @Test func `deleting asks, and goes without a question only when told`() throws {
        let before = try TemporaryFolder.contents(of: account)
        let asked = try Program.valise("media", "purge", account.string, key, "--delete", "--no-input")
        #expect(asked.status == 64, "\(asked.output)")
        #expect(try TemporaryFolder.contents(of: account) == before)
        let deleted = try Program.valise("media", "purge", account.string, key, "--delete", "--yes", "--json")
        #expect(try deleted.status == 0 && json(deleted)["count"] as? Int == 4, "\(deleted.errors)")
        var expected = before
        for name in superfluous { expected[name] = nil }
        expected["simplex_v1_files/sub/"] = nil
        #expect(try TemporaryFolder.contents(of: account) == expected)
    }

    @Test(.enabled(if: Faultline.library != nil), arguments: faults, [false, true])
    func `crashed at each operation, no file is lost or doubled, and the next run does the rest`(
        _ fault: Faultline.Fault, _ deletes: Bool
    ) throws {
        let arguments =
            ["media", "purge", account.string, key, "--quiet"] + (deletes ? ["--delete", "--yes"] : [])
        let root = account.parentFolder
        let (outcome, count) = try Faultline.count(arguments, root: root, report: folder.appending("report"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(count >= 5)
        let (first, last) = (FaultSweep.first(step: 1), count - 2)
        for number in Array(stride(from: first, to: last, by: FaultSweep.step(1))) + Array(last...count) {
            try renew()
            let before = try files()
            let save = folder.appending("save")
            try fileSystem.removeTree(save)
            try fileSystem.makeDirectory(save)
            let crashed = try Faultline.run(arguments, fault, at: number, root: root, save: save)
            let comment: Comment = "\(fault) at \(number) of \(count): \(crashed.errors)"
            for _ in 0..<2 {
                let after = try files()
                for (name, contents) in before {
                    let mayBeGone = deletes && superfluous.contains(name)
                    #expect(
                        after[name] == contents || (mayBeGone && after[name] == nil), "\(comment) \(name)")
                }
                #expect(Set(after.keys).isSubset(of: before.keys), comment)
                let again = try Program.run(Program.valise, arguments)
                #expect(again.status == 0, "\(comment), again: \(again.errors)")
            }
            for name in superfluous { #expect(try !fileSystem.exists(account.appending(name)), comment) }
        }
    }
}
