import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise archive export` with a name that has placeholders, and `--keep-last`.
struct ArchiveNameCommandTests {
    private let folder: TemporaryFolder
    private var account: String { folder.appending("laptop").string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder("valise-names")
        try FileSystem().replace(
            folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account)
        for day in 1...3 { #expect(try export("laptop-2020-01-0\(day).zip").status == 0) }
    }

    private func export(_ name: String, _ options: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise,
            ["archive", "export", account, folder.appending(name).string, key, "--no-input"] + options)
    }

    private func archives() throws -> [String] {
        try FileSystem().list(folder.path).compactMap(\.name).filter { $0.hasSuffix(".zip") }
    }

    @Test func `a dry run lists what would be removed, and --yes removes it`() throws {
        let template = "{account}-{date}.zip"
        let before = try archives()
        let planned = try export(template, "--keep-last", "2", "--dry-run")
        let oldest = ["laptop-2020-01-01.zip", "laptop-2020-01-02.zip"].map { folder.appending($0).string }
        for path in oldest { #expect(planned.output.contains("would be removed: \(path)\n")) }
        #expect(planned.status == 0 && !planned.output.contains("2020-01-03"), "\(planned.errors)")
        let unasked = try export(template, "--keep-last", "2")
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        #expect(try archives() == before)
        let done = try export(template, "--keep-last", "2", "--yes", "--json")
        #expect(done.status == 0 && done.json?["removed"] as? [String] == oldest, "\(done.errors)")
        #expect(done.json?["type"] as? String == "archiveExported")
        let left = try archives()
        #expect(left.count == 2 && left.first == "laptop-2020-01-03.zip", "\(left)")
        #expect(left.last?.wholeMatch(of: /laptop-20\d\d-\d\d-\d\d\.zip/) != nil)
    }

    @Test func `without a terminal --yes is required before there is anything to remove`() throws {
        let before = try archives()
        let unasked = try export("{account}-{date}.zip", "--keep-last", "9")
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        let named = try export("{account}-{date}.zip", "--keep-last", "3")
        let oldest = folder.appending("laptop-2020-01-01.zip").string
        #expect(named.status == 64 && named.errors.contains(oldest), "\(named.errors)")
        #expect(try archives() == before)
    }

    @Test func `a damaged database is an error of its entry, and no earlier archive is removed`() throws {
        let before = try archives()
        let chat = folder.appending("laptop").appending("simplex_v1_chat.db")
        var bytes = try FileSystem().contents(of: chat, limit: 1 << 26)
        for page in [5, 6] {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(7, count: 4096))
        }
        try FileSystem().replace(chat, with: bytes)
        let done = try export("{account}-{date}.zip", "--keep-last", "1", "--yes")
        #expect(done.status == 3 && done.errors.contains("2 damaged pages"), "\(done.errors)")
        #expect(done.errors.contains("Earlier archives were kept"), "\(done.errors)")
        #expect(try Set(archives()).isSuperset(of: before) && archives().count == before.count + 1)
    }

    @Test func `the newest earlier archive stays beside one that was not checked`() throws {
        let arguments = ["archive", "export", account, folder.appending("laptop-{date}.zip").string]
        let keep = ["--keep-last", "1", "--no-input", "--no-key-store"]
        let planned = try Program.run(Program.valise, arguments + keep + ["--dry-run"])
        #expect(
            !planned.output.contains("2020-01-03") && planned.output.contains("2020-01-02"),
            "\(planned.output)")
        let done = try Program.run(Program.valise, arguments + keep + ["--yes"])
        #expect(done.status == 0 && done.errors.contains("not checked"), "\(done.errors)")
        let left = try archives()
        #expect(left.count == 2 && left.first == "laptop-2020-01-03.zip", "\(left)")
    }

    @Test(arguments: ["tar", "tar.zst"])
    func `tars are listed, asked about and removed as zips are, and zips stay`(suffix: String) throws {
        let zips = try archives()
        for day in 1...3 { #expect(try export("laptop-2020-01-0\(day).\(suffix)").status == 0) }
        // A zip under the name of a tar.
        let disguised = folder.appending("laptop-2019-01-01.\(suffix)")
        let zip = try FileSystem().contents(of: folder.appending("laptop-2020-01-01.zip"), limit: 1 << 26)
        try FileSystem().replace(disguised, with: zip)
        let template = "laptop-{date}.\(suffix)"
        let unasked = try export(template, "--keep-last", "2")
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        let oldest = [1, 2].map { folder.appending("laptop-2020-01-0\($0).\(suffix)").string }
        let planned = try export(template, "--keep-last", "2", "--dry-run")
        for path in oldest { #expect(planned.output.contains("would be removed: \(path)\n")) }
        #expect(planned.output.components(separatedBy: "would be removed").count == 3, "\(planned.output)")
        let done = try export(template, "--keep-last", "2", "--yes", "--json")
        #expect(done.status == 0 && done.json?["removed"] as? [String] == oldest, "\(done.errors)")
        #expect(try archives() == zips && FileSystem().exists(disguised))
    }

    @Test func `at a terminal the list is shown, and anything but y exports nothing`() throws {
        let before = try archives()
        let refused = try Program.atTerminal(
            [
                "archive", "export", account, folder.appending("laptop-{date}.zip").string, key,
                "--keep-last", "1",
            ], answers: ["n"], environment: [:])
        #expect(refused.status == 1 && refused.output.contains("not confirmed. Nothing was changed."))
        #expect(refused.output.contains("laptop-2020-01-01.zip"), "\(refused.output)")
        #expect(try archives() == before)
    }

    @Test(arguments: [
        ["a-{day}.zip"], ["a-{date.zip"], ["a.zip", "--keep-last", "2"],
        ["{account}.zip", "--keep-last", "2"], ["a-{date}.zip", "--keep-last", "0"],
    ])
    func `a name that is no template is a usage error`(arguments: [String]) throws {
        let outcome = try Program.run(
            Program.valise, ["archive", "export", account, arguments[0], key] + arguments.dropFirst())
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("{date}") || outcome.errors.contains("at least 1"))
    }

    @Test(arguments: ["{date}", "new-{account}-{date}"])
    func `a missing folder is made as the hint says, with the values in place`(name: String) throws {
        let refused = try export("\(name)/x.zip")
        #expect(refused.status == 10, "\(refused.errors)")
        let made = try #require(refused.errors.firstMatch(of: /run: mkdir -p (.*)\n/)?.1)
        #expect(made.contains(/20\d\d-\d\d-\d\d$/), "\(refused.errors)")
        try FileSystem().makeDirectory(FilePath(String(made)))
        #expect(try export("\(name)/x.zip").status == 0)
        #expect(try FileSystem().exists(FilePath(String(made)).appending("x.zip")))
    }

    @Test func `archives are kept in a folder that is there, and always the same`() throws {
        let missing = try export("other/{date}.zip", "--keep-last", "2", "--yes")
        #expect(missing.status == 10 && missing.errors.contains("no such folder"), "\(missing.errors)")
        let hint = "run: mkdir -p \(folder.appending("other"))\n"
        #expect(missing.errors.contains(hint), "\(missing.errors)")
        let changing = try export("{date}/{date}.zip", "--keep-last", "2", "--yes")
        #expect(changing.status == 64, "\(changing.errors)")
        #expect(changing.errors.contains("a folder without placeholders"), "\(changing.errors)")
    }

    @Test(arguments: ["a.7z", "a.tar.gz", "a.tgz", "A.RAR", "a.cpio", "a.xz"])
    func `the ending of another kind of archive needs a format`(name: String) throws {
        let refused = try export(name)
        let isTar = name.contains(".t")
        let hint = isTar ? "hint: choose a name that ends in .tar.zst, such as " : "add --format zip"
        #expect(refused.status == 64 && refused.errors.contains(hint), "\(refused.errors)")
        if isTar {
            #expect(refused.errors.contains("add --format tar\n"), "\(refused.errors)")
            #expect(refused.errors.contains("/a.tar.zst\n"), "\(refused.errors)")
        }
        #expect(try !FileSystem().exists(folder.appending(name)))
        #expect(try export(name, "--format", "zip").status == 0)
        #expect(try FileSystem().exists(folder.appending(name)))
    }

    @Test func `a folder is refused with a name in it, and not with --force`() throws {
        try FileSystem().makeDirectory(folder.appending("backups"))
        let refused = try export("backups")
        #expect(
            refused.status == 1 && refused.errors.contains("a folder with this name exists"),
            "\(refused.errors)")
        let example = folder.appending("backups").appending("laptop.zip")
        #expect(
            refused.errors.contains("\nhint: name a file in it, such as \(example)\n"), "\(refused.errors)")
        #expect(!refused.errors.contains("--force"), "\(refused.errors)")
    }

    @Test func `two braces are one`() throws {
        #expect(try export("a{{b}.zip").status == 0)
        #expect(try archives().contains("a{b}.zip"))
    }
}
