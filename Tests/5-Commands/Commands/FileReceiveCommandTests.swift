import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptoFiles
import ValiseFiles

/// `valise file receive` and `file info` with what people give them.
struct FileReceiveCommandTests {
    private let folder: TemporaryFolder
    private var home: [String: String] { ["HOME": folder.path.string] }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static let content = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }

    /// A sender of one file that serves what it sent.
    private func sender(_ more: [String] = []) throws -> FileSender {
        let source = folder.appending("letter.pdf")
        try FileSystem().replace(source, with: Self.content)
        return try FileSender([source.string, "--descriptions", folder.path.string] + more, home: home)
    }

    private func receive(
        _ link: String, _ options: String..., input: String? = nil
    ) throws -> Program.Outcome {
        try Program.run(
            Program.valise, ["file", "receive", link, "--output", target.string] + options,
            environment: home, input: input)
    }

    private var target: FilePath { folder.appending("received") }

    private func isReceived() throws -> Bool {
        try FileSystem().contents(of: target, limit: 1 << 30) == Self.content
    }

    // MARK: Approval

    @Test func `at a terminal, one question is asked about a relay, and yes is enough`() throws {
        let python = try #require(Program.tool("python3"))
        let script = Repository.beside("Support/at-terminal.py").path
        let sender = try sender()
        let link = try #require(sender.links.first)
        for (answer, status) in [("n", Int32(1)), ("y", 0)] {
            let outcome = try Program.run(
                python,
                [script, answer, answer, "--", Program.valise]
                    + ["file", "receive", link, "--output", target.string, "--keep-on-relays"],
                environment: home)
            #expect(outcome.status == status, "\(outcome.output)")
            #expect(outcome.output.components(separatedBy: "(y/N)").count == 2, "\(outcome.output)")
            #expect(outcome.output.contains("will be visible to xftp://"))
        }
        #expect(try isReceived())
    }

    @Test func `a name that is taken is told with what replaces it, and a taken name for the key without`()
        throws
    {
        let sender = try sender()
        let link = try #require(sender.links.first)
        try FileSystem().replace(target, with: [1])
        let taken = try receive(link, "--approve-relays", "--json")
        #expect(taken.status == 1, "\(taken.errors)")
        #expect(
            taken.errors == """
                valise: \(target): already exists. Nothing was received.
                hint: to replace it, add --force

                """)
        let remedy = try #require(taken.json?["remedy"] as? [String: Any])
        #expect(remedy["kind"] as? String == "replaceFile" && remedy["options"] as? [String] == ["--force"])
        let key = folder.appending("key")
        try FileSystem().replace(key, with: [1])
        let keyTaken = try receive(link, "--approve-relays", "--force", "--key-output", key.string)
        #expect(keyTaken.status == 1 && !keyTaken.errors.contains("--force"), "\(keyTaken.errors)")
        #expect(keyTaken.errors.hasPrefix("valise: \(key): already exists."), "\(keyTaken.errors)")
        #expect(try FileSystem().contents(of: target, limit: 2) == [1])
        // Only a file of the kind that is received is replaced, and an empty one.
        try FileSystem().replace(target, with: [])
        let received = try receive(link, "--approve-relays", "--force")
        #expect(received.status == 0, "\(received.errors)")
        #expect(try isReceived())
    }

    @Test func `consent that is given beforehand does not approve relays that nobody has seen`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        let refused = try receive(link, "--yes", "--no-input")
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(refused.errors.contains("would see your network"), "\(refused.errors)")
        #expect(refused.errors.contains("--approve-relays"), "\(refused.errors)")
        let received = try receive(link, "--yes", "--no-input", "--approve-relays")
        #expect(received.status == 0, "\(received.errors)")
        #expect(try isReceived())
    }

    @Test func `a relay of the user's list is used without a question`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        let info = try Program.valise("file", "info", link)
        let address = try #require(info.output.firstMatch(of: /xftp:\/\/[^@ ]+@127\.0\.0\.1:[0-9]+/)?.output)
        let list = folder.path.pushing(".config/valise")
        try FileSystem().makeDirectories(list)
        try FileSystem().replace(list.appending("relays"), with: Array("# mine\n\(address)\n".utf8))
        let received = try receive(link, "--no-input")
        #expect(received.status == 0, "\(received.errors)")
        #expect(try isReceived())
    }

    @Test(.enabled(if: Program.tool("python3") != nil, "needs python3"))
    func `through a proxy nobody is asked, and the proxy brings us there`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        let info = try Program.valise("file", "info", link)
        let port = try #require(info.output.firstMatch(of: /@127\.0\.0\.1:([0-9]+)/)?.output.1)
        let proxy = try SOCKSProgram(to: try #require(Int(port)))
        let received = try receive(link, "--no-input", "--proxy", "127.0.0.1:\(proxy.port)")
        #expect(received.status == 0, "\(received.errors)")
        #expect(try isReceived())
        #expect(proxy.nextLine() == "1 socks 1 127.0.0.1 \(port)")
    }

    // MARK: Options

    @Test func `a file is left encrypted, and its key is in a file of its own`() throws {
        let sender = try sender(["--recipients", "2"])
        let key = folder.appending("key.json")
        let missing = try receive(
            sender.links[0], "--approve-relays", "--key-output", folder.path.pushing("no/k").string)
        #expect(missing.status == 10 && missing.errors.contains("key"), "\(missing.errors)")
        let received = try receive(sender.links[0], "--approve-relays", "--key-output", key.string)
        #expect(received.status == 0 && received.output.contains("the key is in"), "\(received.errors)")
        #expect(try !isReceived())
        let plain = folder.appending("plain")
        let decrypted = try Program.valise(
            "file", "decrypt", target.string, plain.string, "--key-file", key.string)
        #expect(decrypted.status == 0, "\(decrypted.errors)")
        #expect(try FileSystem().contents(of: plain, limit: 1 << 30) == Self.content)
    }

    @Test func `a file that is larger than allowed is refused`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        let refused = try receive(link, "--approve-relays", "--max-size", "700000")
        #expect(refused.status == 14 && refused.errors.contains("700.0 kB"), "\(refused.errors)")
        #expect(try !FileSystem().exists(target))
        let received = try receive(link, "--approve-relays", "--max-size", "1000000")
        #expect(received.status == 0, "\(received.errors)")
    }

    @Test func `a link comes by standard input, with what was copied along`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        let received = try receive("-", "--approve-relays", input: "\n  <\(link)> \n")
        #expect(received.status == 0, "\(received.errors)")
        #expect(try isReceived())
        let info = try Program.valise("file", "info", " <\(link)>")
        #expect(info.status == 0, "\(info.errors)")
    }

    // MARK: Failures

    @Test func `of a dead relay each failure is told once, and that nothing was received`() throws {
        let sender = try sender()
        let link = try #require(sender.links.first)
        sender.interrupt()
        _ = sender.end()
        let outcome = try Program.run(
            Program.valise, ["file", "receive", link, "--output", target.string, "--approve-relays"],
            environment: home, interruptAfterLines: 2)
        #expect(outcome.status == 130, "\(outcome.errors)")
        // The relay, that it is tried again, the job that stays, the end, and what to do.
        #expect(outcome.errors.split(separator: "\n").count == 5, "\(outcome.errors)")
        #expect(!outcome.errors.contains("Nothing was sent") && !outcome.errors.contains("is kept in"))
        let names = try FileSystem().list(folder.path).compactMap(\.name)
        #expect(!names.contains { $0.hasPrefix(".valise-receive") }, "\(names)")
    }

    @Test func `an onion address without a proxy is said at once`() throws {
        let link = try link(to: String(repeating: "a", count: 56) + ".onion")
        let start = ContinuousClock.now
        let outcome = try receive(link, "--approve-relays")
        #expect(outcome.status == 1 && ContinuousClock.now - start < .seconds(30))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("needs a SOCKS proxy") && outcome.errors.contains("Nothing was received"))
    }

    /// The link of a sender whose relay was elsewhere.
    private func link(to host: String) throws -> String {
        let link = try #require(try sender().links.first)
        return link.replacing(/127\.0\.0\.1(%3A|:)[0-9]+/.ignoresCase(), with: host)
    }

    @Test(arguments: [
        ("simplx:/file#/?desc=SECRET", "simplx:…"), ("/file#/?desc=SECRET", "neither a link"),
        (String(repeating: "SECRET", count: 50), "neither a link"), ("", "empty"), ("  ", "empty"),
        ("https://simplex.chat/contact#/?v=2SECRET", "no /file before #"),
        ("simplex:/file#SECRET", "no /? after"),
    ]) func `what is no link is named as such, and never printed`(link: String, words: String) throws {
        for command in ["info", "receive"] {
            let outcome = try Program.valise("file", command, link, environment: home)
            #expect([13, 64].contains(outcome.status), "\(outcome.errors)")
            #expect(outcome.errors.contains(words) && !outcome.errors.contains("SECRET"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [["file", "info", "-"], ["file", "receive", "-"], ["move", "receive", "-", "new"]])
    func `at a terminal a link is asked for`(command: [String]) throws {
        let outcome = try Program.atTerminal(command, answers: ["simplex:/file#"], environment: home)
        #expect([13, 64].contains(outcome.status), "\(outcome.output)")
        #expect(
            outcome.output.hasPrefix("Paste the link, then press Return and Control-D:"), "\(outcome.output)")
        #expect(outcome.output.contains("valise: "), "\(outcome.output)")
    }

    @Test func `a link does not delete, and is not printed`() throws {
        let outcome = try Program.valise("file", "delete", "simplex:/file#/?desc=SECRET", environment: home)
        #expect(outcome.status == 64 && outcome.errors.contains("snd.xftp.private"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("SECRET"))
    }

    @Test func `a file with the name of a link is read`() throws {
        let name = folder.appending("a:/")
        try FileSystem().makeDirectories(name)
        try FileSystem().replace(name.appending("desc=x"), with: Array("no description".utf8))
        let outcome = try Program.valise("file", "info", name.appending("desc=x").string)
        #expect(outcome.errors.contains("not a file description"), "\(outcome.errors)")
    }

    @Test func `info tells of several files in one document, and of none that there is none`() throws {
        let sender = try sender(["--recipients", "2"])
        for arguments in [[], ["--json"]] {
            let none = try Program.run(Program.valise, ["file", "info", "-"] + arguments, input: "\n")
            #expect(none.status == 64 && none.errors.contains("standard input is empty"), "\(none.errors)")
        }
        let two = sender.links.joined(separator: "\n")
        let outcome = try Program.run(Program.valise, ["file", "info", "-", "--json"], input: two)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["type"] as? String == "filesInfo")
        #expect((object?["files"] as? [Any])?.count == 2)
        let text = try Program.run(Program.valise, ["file", "info"] + sender.links)
        #expect(text.output.components(separatedBy: "description of a file").count == 3, "\(text.errors)")
    }
}
