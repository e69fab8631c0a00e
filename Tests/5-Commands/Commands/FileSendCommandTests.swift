import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise file send` and `delete` with a relay that runs beside them.
struct FileSendCommandTests {
    private let folder: TemporaryFolder
    private let relay: TestRelay
    private var home: [String: String] { ["HOME": folder.path.string] }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        relay = try TestRelay(folder.appending("relay"))
    }

    private func file(_ name: String, _ count: Int = 1000) throws -> FilePath {
        let path = folder.appending(name)
        try FileSystem().replace(path, with: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        return path
    }

    private func send(_ arguments: String..., to address: String? = nil) throws -> Program.Outcome {
        let always = ["file", "send", "--descriptions", folder.path.string]
        let server = address == "" ? [] : ["--server", address ?? relay.address]
        return try Program.run(Program.valise, always + server + arguments, environment: home)
    }

    private func receive(_ link: String, as name: String) throws -> Program.Outcome {
        try Program.valise(
            "file", "receive", link, "--output", folder.appending(name).string, "--approve-relays",
            environment: home)
    }

    private func object(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `a dry run sends nothing, and the folder for descriptions is made for its owner alone`() throws
    {
        let made = folder.appending("made")
        let arguments = [
            "file", "send", try file("a").string, "--server", relay.address, "--descriptions",
            made.appending("deeper").string,
        ]
        let planned = try Program.run(Program.valise, arguments + ["--dry-run"], environment: home)
        #expect(planned.status == 0 && planned.output.hasPrefix("would send "), "\(planned.errors)")
        #expect(try relay.chunkCount() == 0 && !FileSystem().exists(made))
        let sent = try Program.run(Program.valise, arguments, environment: home)
        #expect(sent.status == 0, "\(sent.errors)")
        for path in [made, made.appending("deeper")] {
            #expect(try FileSystem().attributes(of: path)?.permissions == .ownerReadWriteExecute)
        }
        #expect(try FileSystem().exists(made.appending("deeper").appending("a.xftp")))
        let deleting = ["file", "delete", made.appending("deeper").appending("a.xftp").string]
        let kept = try Program.run(Program.valise, deleting + ["--dry-run"], environment: home)
        #expect(kept.status == 0 && kept.output.hasPrefix("would delete "), "\(kept.errors)")
        #expect(try relay.chunkCount() ?? 0 > 0)
    }

    // MARK: Deleting

    @Test func `what is deleted by its folder is gone, with what is behind its short link`() throws {
        let sent = try send(file("a").string, "--redirect", "always")
        #expect(sent.status == 0, "\(sent.errors)")
        let folder = folder.appending("a.xftp")
        #expect(sent.errors.contains("'valise file delete \(folder)' deletes it sooner"), "\(sent.errors)")
        let link = try #require(sent.output.split(separator: "\n").first.map(String.init))
        #expect(link.count < 1003)
        #expect(try relay.chunkCount() == 2)
        let deleted = try Program.valise("file", "delete", folder.string, environment: home)
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(
            deleted.output == """
                \(folder.appending("redirect1.snd.xftp.private")): 1 chunk deleted
                \(folder.appending("snd.xftp.private")): 1 chunk deleted

                """)
        #expect(try relay.chunkCount() == 0)
        let late = try receive(link, as: "b")
        #expect(late.status == 16, "\(late.errors)")
        #expect(late.errors.contains("no longer has the file: it was already received"), "\(late.errors)")
        #expect(!late.errors.contains("("), "\(late.errors)")
        // One line, and one hint.
        #expect(late.errors.split(separator: "\n").count == 2, "\(late.errors)")
        #expect(
            late.errors.hasSuffix("\nhint: ask the sender to send it again under a new link\n"),
            "\(late.errors)")
    }

    @Test(.disabled(if: TestRelay.isStrict, "our own relay's command blocks it"))
    func `a chunk that was blocked is told of once, and its relay named once`() throws {
        #expect(try send(file("a").string).status == 0)
        let info = try FileSystem().contents(
            of: folder.appending("a.xftp").appending("rcv1.xftp"), limit: 1 << 16)
        let name = try #require(
            String(decoding: info, as: UTF8.self).firstMatch(of: /- 1:([^:]+):/)?.output.1)
        let blocked = try Program.run(
            Program.relay,
            ["block", "--reason", "spam", "--folder", folder.appending("relay").string, "--", String(name)])
        #expect(blocked.status == 0, "\(blocked.errors)")
        let outcome = try Program.valise(
            "file", "delete", folder.appending("a.xftp").string, environment: home)
        #expect(outcome.status == 3 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "127.0.0.1").count == 2, "\(outcome.output)")
    }

    @Test func `nothing is deleted where one of the descriptions is a recipient's`() throws {
        for name in ["a", "b"] { #expect(try send(file(name).string).status == 0) }
        let wrong = folder.appending("b.xftp").appending("rcv1.xftp").string
        let sender = folder.appending("a.xftp").appending("snd.xftp.private").string
        let outcome = try Program.valise("file", "delete", sender, wrong, environment: home)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("\(wrong): this is a recipient's description"), "\(outcome.errors)")
        #expect(try relay.chunkCount() == 2)
        let declined = try Program.atTerminal(
            ["file", "delete", sender], answers: ["n"], environment: home)
        #expect(declined.status == 1 && declined.output.contains("1 description"), "\(declined.output)")
        #expect(try relay.chunkCount() == 2)
        let json = try Program.valise("file", "delete", sender, "--json", environment: home)
        let files = try object(json)["files"] as? [[String: Any]]
        #expect(files?.first?["path"] as? String == sender && files?.first?["deleted"] as? Int == 1)
    }

    @Test func `whoever names the file or the folder is led to the other`() throws {
        let source = try file("a")
        #expect(try send(source.string).status == 0)
        let folder = folder.appending("a.xftp")
        let deleted = try Program.valise("file", "delete", source.string, environment: home)
        #expect(
            deleted.status == 13
                && deleted.errors.hasPrefix("valise: \(source): not a file description\nhint: "),
            "\(deleted.errors)")
        #expect(deleted.errors.hasSuffix(" run: valise file delete \(folder)\n"), "\(deleted.errors)")
        let received = try receive(folder.string, as: "b")
        #expect(received.status == 14, "\(received.errors)")
        #expect(
            received.errors.hasSuffix("The description in it is \(folder.appending("rcv1.xftp"))\n"),
            "\(received.errors)")
    }

    // MARK: Places

    @Test(.enabled(if: geteuid() == 0 && Program.tool("setpriv") != nil, "needs another user"))
    func `from a folder that cannot be written to nothing is sent`() throws {
        let place = try TemporaryFolder()
        for path in [place.path, try subfolder("home", place), try subfolder("locked", place)] {
            try FileSystem().setPermissions(
                [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute], of: path)
        }
        let source = place.appending("locked").appending("a")
        try FileSystem().replace(source, with: [1, 2, 3])
        try FileSystem().setPermissions([.ownerReadWrite, .otherRead], of: source)
        try FileSystem().setPermissions(
            [.ownerReadExecute, .otherReadExecute], of: place.appending("locked"))
        let outcome = try Program.run(
            try #require(Program.tool("setpriv")),
            [
                "--reuid=65534", "--clear-groups", Program.valise, "file", "send", source.string, "--server",
                relay.address, "--descriptions", place.appending("locked").string,
            ], environment: ["HOME": place.appending("home").string])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("permission denied"), "\(outcome.errors)")
        #expect(try relay.chunkCount() == 0)
    }

    private func subfolder(_ name: String, _ parent: TemporaryFolder) throws -> FilePath {
        try FileSystem().makeDirectory(parent.appending(name))
        return parent.appending(name)
    }

    @Test func `names of any length that a file can have are sent`() throws {
        let long = String(repeating: "é", count: 127)
        #expect(FileManager.default.createFile(atPath: folder.appending(long).string, contents: Data([1])))
        let sent = try send(folder.appending(long).string)
        #expect(sent.status == 0, "\(sent.errors)")
        let again = try send(folder.appending(long).string, "--name", "b")
        #expect(again.status == 0, "\(again.errors)")
        let names = try FileSystem().list(folder.path).compactMap(\.name).filter {
            $0.contains("é") && $0 != long
        }
        #expect(
            names.map(\.utf8.count) == [251, 253] && names.allSatisfy { !$0.contains("\u{fffd}") }, "\(names)"
        )
    }

    @Test func `a name that is no UTF-8 is said to be so`() throws {
        let script =
            "cd '\(folder.path)' && f=$(printf 'a\\377') && : > \"$f\" && '\(Program.valise)' file send \"$f\" --server \(relay.address)"
        let outcome = try Program.run("/bin/sh", ["-c", script], environment: home)
        #expect(outcome.status == 64 && outcome.errors.contains("UTF-8"), "\(outcome.errors)")
    }

    // MARK: Relays

    @Test func `where no relay takes it, nothing was sent, which is said once`() throws {
        let source = try file("a").string
        let host = relay.address.split(separator: "@")[1]
        let other = "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@\(host)"
        let third = "xftp://\(String(repeating: "A", count: 43))=@\(host)"
        let reason = "\(host): the relay's fingerprint does not match its address"
        let cases: [([String], String)] = [
            ([], "\(reason). Nothing was sent."),
            (["--server", third], "no relay accepts the file. Nothing was sent. (\(reason))"),
        ]
        // Of several each is named as it refuses, too.
        for ((more, sentence), mentions) in zip(cases, [1, 3]) {
            let outcome = try Program.run(
                Program.valise, ["file", "send", source, "--server", other] + more, environment: home)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.contains("valise: \(sentence)"), "\(outcome.errors)")
            let parts = outcome.errors.components(separatedBy: "fingerprint")
            #expect(parts.count == mentions + 1, "\(outcome.errors)")
        }
        let list = try Program.valise("file", "send", "--list", environment: home)
        #expect(list.output == "no interrupted uploads\n")
    }

    @Test func `a relay with a password is used by its file, which others must not read`() throws {
        let closed = try TestRelay(folder.appending("closed"), password: "s3cret")
        let parts = closed.address.split(separator: "@")
        let list = folder.appending("list")
        try FileSystem().replace(list, with: Array("# mine\n\(parts[0]):s3cret@\(parts[1])\n".utf8))
        let source = try file("a").string
        try FileSystem().setPermissions([.ownerReadWrite, .otherRead], of: list)
        let open = try send(source, "--server-file", list.string, to: "")
        #expect(open.status == 1 && open.errors.contains("readable by other users"), "\(open.errors)")
        try FileSystem().setPermissions(.ownerReadWrite, of: list)
        #expect(try send(source, to: closed.address).status == 1, "without the password")
        let sent = try send(source, "--server-file", list.string, to: "")
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try !sent.output.contains("s3cret") && closed.chunkCount() == 1)
    }

    // MARK: Links

    @Test func `another name, links for browsers and codes`() throws {
        let source = try file("a")
        let sent = try send(source.string, "--name", "letter.txt", "--web", "--qr", "--redirect", "always")
        #expect(sent.status == 0, "\(sent.errors)")
        let link = try #require(sent.output.split(separator: "\n").first.map(String.init))
        #expect(link.hasPrefix("https://127.0.0.1/#") && sent.output.split(separator: "\n").count == 1)
        #expect(sent.errors.split(separator: "\n").count { $0.contains("█") } > 20)
        let inbox = folder.appending("inbox")
        try FileSystem().makeDirectory(inbox)
        let received = try receive(link, as: "inbox")
        #expect(received.status == 0, "\(received.errors)")
        let content = try FileSystem().contents(of: inbox.appending("letter.txt"), limit: 1 << 20)
        #expect(try content == FileSystem().contents(of: source, limit: 1 << 20))
        #expect(try send(source.string, "--name", "").status == 64)
    }

    @Test func `no escape sequences reach a dumb terminal, and no blocks a screen reader`() throws {
        let arguments = [
            "file", "send", "--descriptions", folder.path.string, "--server", relay.address,
            try file("a").string, "--qr", "--redirect", "always",
        ]
        for variable in [["TERM": "dumb"], ["NO_COLOR": "1"]] {
            let sent = try Program.run(
                Program.valise, arguments, environment: home.merging(variable) { $1 })
            #expect(sent.status == 0 && sent.errors.contains("█"), "\(sent.errors)")
            #expect(!sent.errors.contains("\u{1b}"), "\(sent.errors)")
        }
        let plain = try Program.run(Program.valise, arguments + ["--plain"], environment: home)
        let lines = plain.errors.split(separator: "\n").map(String.init)
        let written = lines.first { $0.hasPrefix("valise: the QR code was written to ") }
        #expect(plain.status == 0 && written?.hasSuffix(". Keep it as secret as the link.") == true)
        #expect(!plain.errors.contains("█") && !lines.contains { $0.contains("  sending /") }, "\(lines)")
    }

    @Test func `a code that does not fit the window is an image beside the descriptions`() throws {
        let sent = try Program.atTerminal(
            [
                "file", "send", "--descriptions", folder.path.string, "--server", relay.address,
                file("a").string, "--qr", "--redirect", "always", "--recipients", "2",
            ], environment: home)
        #expect(sent.status == 0 && !sent.output.contains("█"), "\(sent.output)")
        for name in ["rcv1.png", "rcv2.png"] {
            let image = folder.appending("a.xftp").appending(name)
            #expect(sent.output.contains("written to \(image)"), "\(sent.output)")
            #expect(try FileSystem().attributes(of: image)?.permissions == .ownerReadWrite)
        }
    }

    @Test func `JSON has links for browsers too where they are asked for, and the codes are shown`() throws {
        let sent = try send(
            file("a").string, "--web", "--qr", "--redirect", "always", "--json", "--recipients", "2")
        #expect(sent.status == 0 && sent.output.split(separator: "\n").count == 1, "\(sent.errors)")
        let files = try object(sent)["files"] as? [[String: Any]]
        let links = files?.first?["webLinks"] as? [[String]]
        #expect(links?.map(\.count) == [1, 1] && links?[0][0].hasPrefix("https://127.0.0.1/#") == true)
        #expect(sent.errors.contains("recipient 2 of 2") && sent.errors.contains("█"))
        #expect(
            try object(send(file("b").string, "--json"))["files"].map { "\($0)" }?.contains("webLinks")
                == false)
    }

    /// A file whose size is a page, and whose content is shorter: what it is shows when it is read.
    private static let shrinking = "/sys/kernel/mm/transparent_hugepage/enabled"

    @Test(
        .enabled(
            if: FileManager.default.isReadableFile(atPath: FileSendCommandTests.shrinking), "needs sysfs"))
    func `one document tells what was sent and what was not`() throws {
        let sent = try send(file("a").string, Self.shrinking, "--json")
        #expect(sent.status == 1 && sent.output.split(separator: "\n").count == 1, "\(sent.output)")
        let document = try object(sent)
        let error = try #require(document["error"] as? [String: Any])
        #expect(document["type"] as? String == "filesSent" && (document["files"] as? [Any])?.count == 1)
        #expect(error["code"] as? String == "failed" && error["subject"] as? String == Self.shrinking)
    }

    // MARK: Files

    @Test func `a file that cannot be sent is told before anything about relays, and nothing is sent`() throws
    {
        let intact = try file("a").string
        let pipe = folder.appending("pipe")
        #expect(pipe.withPlatformString { mkfifo($0, 0o600) } == 0)
        let huge = folder.appending("huge")
        try FileSystem().replace(huge, with: [])
        #expect(huge.withPlatformString { truncate($0, 1 << 42) } == 0)
        let refused: [(FilePath, Int32, String)] = [
            (folder.appending("missing"), 10, "no such file"), (folder.path, 14, "is a folder, not a file"),
            (pipe, 14, "not a regular file"), (huge, 14, "too large: "),
        ]
        for (path, status, words) in refused {
            for more in [[], ["--dry-run"], ["--serve", "127.0.0.1"]] {
                let outcome = try Program.run(
                    Program.valise, ["file", "send", intact, path.string] + more, environment: home)
                #expect(outcome.status == status, "\(path): \(outcome.errors)")
                #expect(outcome.errors.hasPrefix("valise: \(path): "), "\(outcome.errors)")
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
                #expect(!outcome.errors.contains("relay") && outcome.output.isEmpty, "\(outcome.errors)")
            }
        }
        // Nothing is wrong with the file, so that the relay is.
        let outcome = try send(intact, to: "")
        #expect(
            outcome.status == 64 && outcome.errors.contains("no relay is configured"), "\(outcome.errors)")
        let given = try send(intact, folder.appending("missing").string)
        #expect(given.status == 10)
        #expect(try relay.chunkCount() == 0)
    }

    @Test func `an empty file is sent`() throws {
        let sent = try send(file("nothing", 0).string)
        #expect(sent.status == 0, "\(sent.errors)")
    }
}
