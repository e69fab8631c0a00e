import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise file send`, `receive`, `info` and `delete`, with the sender as the relay.
struct FileLinkCommandTests {
    private let folder: TemporaryFolder
    private var home: [String: String] { ["HOME": folder.path.string] }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func file(_ name: String, _ count: Int) throws -> FilePath {
        let path = folder.appending(name)
        try FileSystem().replace(
            path, with: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) })
        return path
    }

    private func contents(_ path: FilePath) throws -> [UInt8] {
        try FileSystem().contents(of: path, limit: 1 << 30)
    }

    @Test func `a file goes to two recipients, and the sender ends when both have it`() throws {
        let source = try file("letter.pdf", 700_001)
        let sender = try FileSender(
            [source.string, "--recipients", "2", "--descriptions", folder.path.string], home: home)
        try #require(sender.links.count == 2)
        let first = folder.appending("first")
        let received = try Program.valise(
            "file", "receive", sender.links[0], "--output", first.string, "--approve-relays",
            environment: home)
        #expect(received.status == 0, "\(received.errors)")
        #expect(received.output == "received \(first) (700.0 kB)\n")
        #expect(try contents(first) == contents(source))
        // The second one by description, into a folder, under the file's own name.
        let inbox = folder.appending("inbox")
        try FileSystem().makeDirectory(inbox)
        let description = folder.appending("letter.pdf.xftp").appending("rcv2.xftp")
        let second = try Program.valise(
            "file", "receive", description.string, "--output", inbox.string, "--approve-relays", "--json",
            environment: home)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try contents(inbox.appending("letter.pdf")) == contents(source))
        let report = try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [String: Any]
        #expect(report?["type"] as? String == "fileReceived" && report?["size"] as? Int == 700_001)
        let (status, errors) = sender.end()
        #expect(status == 0)
        #expect(errors.contains("all recipients have received the file"))
        #expect(try FileSystem().list(inbox).count == 1, "something was left behind")
    }

    @Test func `unknown relays are not contacted without approval`() throws {
        let sender = try FileSender(
            [try file("a", 10).string, "--descriptions", folder.path.string], home: home)
        let outcome = try Program.valise(
            "file", "receive", try #require(sender.links.first), "--output", folder.appending("b").string,
            "--no-input", environment: home)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("would see your network"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--approve-relays"), "\(outcome.errors)")
        #expect(try !FileSystem().exists(folder.appending("b")))
    }

    @Test func `info tells what a link says and asks nobody`() throws {
        let sender = try FileSender(
            [
                try file("a", 300_000).string, "--descriptions", folder.path.string, "--data",
                #"{"from":"me"}"#,
            ], home: home)
        let link = try #require(sender.links.first)
        let outcome = try Program.valise("file", "info", link)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("chunks   2") && outcome.output.contains(#"{"from":"me"}"#))
        #expect(outcome.output.contains("@127.0.0.1:"))
        let description = folder.appending("a.xftp").appending("snd.xftp.private")
        let sent = try Program.valise("file", "info", description.string, "--json")
        #expect(sent.output.contains(#""party":"sender""#))
    }

    @Test func `nobody else can store anything with a sender, whatever its links say`() throws {
        let sender = try FileSender(
            [try file("a", 10).string, "--descriptions", folder.path.string], home: home)
        let info = try Program.valise("file", "info", try #require(sender.links.first))
        let address = try #require(info.output.firstMatch(of: /xftp:\/\/[^@ ]+@127\.0\.0\.1:[0-9]+/)?.output)
        // No password is in what others see.
        #expect(address.split(separator: ":").count == 3, "\(address)")
        let other = try Program.valise(
            "file", "send", try file("b", 10).string, "--server", String(address), "--descriptions",
            folder.path.string, environment: home)
        #expect(other.status == 1, "\(other.errors)")
        #expect(other.output.isEmpty)
    }

    @Test func `a sender takes as many files as its relay needs, and serves where it gets few`() throws {
        let source = try file("a", 300_000)
        for (limits, expected) in [("ulimit -S -n 100", 1000), ("ulimit -n 100", 100)] {
            let sender = try FileSender(
                [source.string, "--descriptions", folder.path.string], home: home, limits: limits)
            #if os(Linux)
                let text = try String(contentsOfFile: "/proc/\(sender.processID)/limits", encoding: .utf8)
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max open files") })
                let soft = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
                #expect(limits.contains("-S") ? soft >= expected : soft == expected, "\(line)")
            #endif
            let link = try #require(sender.links.first)
            let received = try Program.valise(
                "file", "receive", link, "--output", folder.appending("got-\(expected)").string,
                "--approve-relays",
                environment: home)
            #expect(received.status == 0, "\(received.errors)")
            #expect(sender.end().status == 0)
        }
    }

    @Test func `an interrupted sender says so, and nothing of what it served stays`() throws {
        let source = try file("a", 5_000_000)
        let sender = try FileSender([source.string, "--descriptions", folder.path.string], home: home)
        sender.interrupt()
        let (status, _) = sender.end()
        #expect(status == 130)
        let left = try FileSystem().list(folder.path.pushing(".local/state/valise")).compactMap(\.name)
        #expect(!left.contains { $0.hasPrefix("served") }, "\(left)")
    }

    @Test func `interrupted uploads are listed and discarded`() throws {
        let none = try Program.valise("file", "send", "--list", environment: home)
        #expect(none.status == 0 && none.output == "no interrupted uploads\n", "\(none.errors)")
        let folder = folder.path.pushing(".local/state/valise/uploads/upload-lost")
        try FileSystem().makeDirectories(folder)
        try FileSystem().replace(folder.appending("journal"), with: Array("no journal of ours at all".utf8))
        let listed = try Program.valise("file", "send", "--list", environment: home)
        #expect(listed.output == "upload-lost: unreadable journal; discard it\n", "\(listed.errors)")
        let json = try Program.valise("file", "send", "--list", "--json", environment: home)
        #expect(json.output.contains(#""type":"interruptedUploads""#))
        #expect(json.output.contains(#""isDamaged":true"#), "\(json.output)")
        let unknown = try Program.valise("file", "send", "--discard", "upload-no", environment: home)
        #expect(unknown.status == 10, "\(unknown.errors)")
        let discarded = try Program.valise("file", "send", "--discard", "all", "--json", environment: home)
        #expect(discarded.output.contains(#""uploads":["upload-lost"]"#), "\(discarded.errors)")
        #expect(try !FileSystem().exists(folder))
    }

    @Test func `an upload that belongs to another command is neither listed nor discarded`() throws {
        // Of a content (Documentation/formats/transfer.md), interrupted before a relay knew of it.
        let journal = """
            dmFsaXNlIHRyYW5zZmVyIDEKAAAAWQIAAAAAAAAAAAAAAAAAAAAADgAKZ29sZGVuLmJpbgAAAQIDBAUGBwgJCgsMDQ4PEBESExQV
            FhcYGRobHB0eHwAYZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7ollk8OCHQ0IAAABnCQAAAABrAxFZAAhnb2xkZW46MQAgyMnKy8zN
            zs/Q0dLT1NXW19jZ2tvc3d7f4OHi4+Tl5ucAAAAAAAAADgAKZ29sZGVuLmJpbgAAAAIABmFsd2F5cwEAD3siZ29sZGVuIjp0cnVl
            fVuN1nVhIjh/
            """
        let bytes = try #require(Data(base64Encoded: journal, options: .ignoreUnknownCharacters))
        let folder = folder.path.pushing(".local/state/valise/uploads/upload-content")
        try FileSystem().makeDirectories(folder)
        try FileSystem().replace(folder.appending("journal"), with: Array(bytes))
        let listed = try Program.valise("file", "send", "--list", environment: home)
        #expect(listed.status == 0 && listed.output == "no interrupted uploads\n", "\(listed.errors)")
        let all = try Program.valise("file", "send", "--discard", "all", environment: home)
        #expect(all.status == 0 && all.output == "no uploads discarded\n", "\(all.errors)")
        let discarded = try Program.valise("file", "send", "--discard", "upload-content", environment: home)
        #expect(discarded.status != 0 && discarded.errors.contains("belongs to another operation"))
        #expect(try FileSystem().exists(folder.appending("journal")))
    }

    @Test(arguments: [
        (["file", "send"], "files"), (["file", "send", "a", "--list"], "no files"),
        (["file", "send", "--list", "--discard", "all"], "only one"),
        (["file", "send", "/etc/hostname"], "--serve"),
        (
            [
                "file", "send", "a", "--server",
                "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=:secret@host",
            ], "--server-file"
        ),
        (["file", "send", "a", "--data", "{"], "JSON"),
        (["file", "receive", "simplex:/file#/?desc=none"], "description"),
        (["file", "info", "https://example.org/"], "link"),
    ]) func `what makes no sense is refused with a word about the way out`(arguments: [String], word: String)
        throws
    {
        let outcome = try Program.run(Program.valise, arguments, environment: home)
        #expect([13, 64].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains(word) && !outcome.errors.contains("secret@"))
    }
}
