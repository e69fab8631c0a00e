import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise account find`, and commands without an account.
struct AccountFindTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var home: FilePath { folder.appending("home") }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var desktop: FilePath { home.appending(".local/share/simplex") }
    private var terminal: FilePath { home.appending(".simplex") }

    init() throws {
        folder = try TemporaryFolder("valise-find", inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try fileSystem.makeDirectory(home)
    }

    private func run(_ arguments: String..., more: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments, environment: ["HOME": home.string].merging(more) { $1 })
    }

    private func create(_ place: FilePath) throws {
        try fileSystem.makeDirectories(place.parentFolder)
        let created = try run("account", "create", place.string, key, "--quiet")
        #expect(created.status == 0, "\(created.errors)")
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    @Test func `none is found in an empty home, with a status and a hint`() throws {
        let found = try run("account", "find")
        #expect(found.status == 10 && found.output.isEmpty)
        #expect(found.errors.contains("no account found in the usual places"), "\(found.errors)")
        #expect(found.errors.contains("hint: ") && found.errors.contains("valise account find FOLDER"))
        let asJSON = try run("account", "find", "--json")
        #expect(asJSON.status == 10 && asJSON.json?["type"] as? String == "accountsFound")
        #expect((asJSON.json?["accounts"] as? [Any])?.isEmpty == true)
        let missing = try run("account", "find", home.appending("nowhere").string)
        #expect(missing.status == 10 && missing.errors.contains("no such folder"), "\(missing.errors)")
        let file = try run("account", "find", folder.appending("key").string)
        #expect(file.status == 10 && file.errors.contains("key: not a folder"), "\(file.errors)")
    }

    @Test func `an account is found with its state, without a passphrase`() throws {
        try create(desktop)
        let found = try run("account", "find")
        #expect(found.status == 0 && found.errors.isEmpty, "\(found.errors)")
        let row = try #require(lines(found.output).last)
        #expect(row.hasPrefix("desktop app") && row.contains("  encrypted  "), "\(found.output)")
        #expect(row.hasSuffix(desktop.string))
        let asJSON = try run("account", "find", home.string, "--json")
        let accounts = try #require(asJSON.json?["accounts"] as? [[String: Any]])
        #expect(accounts.map { $0["program"] as? String } == ["desktop"])
        #expect(accounts.first?["directory"] as? String == desktop.string)
        #expect(accounts.first?["encryption"] as? String == "encrypted")
    }

    @Test func `the only account need not be named, and is said`() throws {
        try create(desktop)
        let note = "valise: using \(desktop)\n"
        let status = try run("account", "status", "--json")
        #expect(status.status == 0 && status.errors == note, "\(status.errors)")
        #expect(status.json?["directory"] as? String == desktop.string)
        #expect(try run("account", "check", key).errors.contains(note))
        #expect(try run("media", "audit", key).errors.contains(note))
        let quiet = try run("account", "status", "--quiet")
        #expect(quiet.status == 0 && quiet.errors.isEmpty)
        #expect(try run("account", "status", "--prefix", "other").status == 64)
    }

    @Test func `a single argument is the one behind the account`() throws {
        try create(desktop)
        let archive = folder.appending("a.zip")
        let exported = try run("archive", "export", archive.string, key)
        #expect(exported.status == 0 && exported.errors.contains("using \(desktop)"), "\(exported.errors)")
        #expect(try fileSystem.exists(archive))
        let rows = try run("account", "sql", "SELECT 7 AS seven", key, "--csv")
        #expect(rows.status == 0 && rows.output.contains("7"), "\(rows.errors)")
        for command in [
            ["archive", "export"], ["account", "sql"], ["account", "salvage"], ["media", "export"],
        ] {
            let outcome = try Program.run(
                Program.valise, command + [desktop.string, key], environment: ["HOME": home.string])
            #expect(outcome.status == 64, "\(command): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("valise: missing expected argument"), "\(outcome.errors)")
        }
        let name = try #require(desktop.lastComponent?.string)
        let unnamed = try run("archive", "export", desktop.string, key)
        let suggested = "'\(name)-{date}.zip' --passphrase-file "
        #expect(
            unnamed.errors.contains("\nHelp:  <archive>  The archive to write, or - for standard output.\n"),
            "\(unnamed.errors)")
        #expect(
            unnamed.errors.contains("run: valise archive export \(desktop) \(suggested)"),
            "\(unnamed.errors)")
    }

    @Test func `of several accounts none is chosen, and each has a command line`() throws {
        try create(desktop)
        try create(terminal)
        let outcome = try run("account", "status", "--quiet", "--json")
        #expect(outcome.status == 64 && outcome.json?["code"] as? String == "invalid")
        let hints = lines(outcome.errors).filter { $0.hasPrefix("hint: ") }
        #expect(hints.count == 2, "\(outcome.errors)")
        for place in [desktop, terminal] {
            let command = "valise account status \(place) --quiet --json"
            #expect(hints.contains { $0.hasSuffix(command) }, "\(outcome.errors)")
            let again = try run("account", "status", place.string, "--quiet", "--json")
            #expect(again.status == 0 && again.errors.isEmpty)
        }
        // In JSON too.
        let remedy = try #require(outcome.json?["remedy"] as? [String: Any])
        let commands = try #require(remedy["commands"] as? [String])
        #expect(commands.count == 2 && remedy["kind"] as? String == "other", "\(outcome.output)")
        let message = try #require(outcome.json?["message"] as? String)
        for command in commands {
            #expect(message.contains("'\(command)'"), "\(message)")
            #expect(hints.contains { $0.hasSuffix(command) }, "\(message)")
        }
    }

    @Test func `the environment names the account`() throws {
        try create(desktop)
        let other = folder.appending("other")
        try create(other)
        let named = ["VALISE_ACCOUNT": other.string]
        let status = try run("account", "status", "--json", more: named)
        #expect(status.json?["directory"] as? String == other.string)
        #expect(status.errors == "valise: using \(other) (VALISE_ACCOUNT)\n")
        let given = try run("account", "status", desktop.string, "--json", more: named)
        #expect(given.json?["directory"] as? String == desktop.string && given.errors.isEmpty)
    }

    @Test func `without any account, it says so`() throws {
        let outcome = try run("account", "status")
        #expect(outcome.status == 64 && outcome.errors.contains("none found"), "\(outcome.errors)")
        #expect(outcome.errors.contains("VALISE_ACCOUNT"))
        let export = try run("media", "export", "nowhere")
        #expect(export.status == 64, "\(export.errors)")
        #expect(export.errors.contains("'nowhere' was taken as <out>"), "\(export.errors)")
    }

    @Test func `what is created, replaced or forgotten has to be named`() throws {
        try create(desktop)
        let archive = folder.appending("a.zip").string
        #expect(try run("archive", "export", archive, key).status == 0)
        let named = ["VALISE_ACCOUNT": desktop.string]
        for command in [["account", "create"], ["archive", "import", archive], ["key", "forget"]] {
            let outcome = try Program.run(
                Program.valise, command, environment: ["HOME": home.string].merging(named) { $1 })
            #expect(outcome.status == 64, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("missing expected argument '<dir>'"), "\(outcome.errors)")
        }
    }
}
