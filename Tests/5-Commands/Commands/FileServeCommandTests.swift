import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise file send --serve`: the sender as the relay.
struct FileServeCommandTests {
    private let folder: TemporaryFolder
    private var home: [String: String] { ["HOME": folder.path.string] }
    private var state: FilePath { folder.path.pushing(".local/state/valise") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func sender(_ name: String, serve: String = "127.0.0.1") throws -> FileSender {
        let source = folder.appending(name)
        try FileSystem().replace(source, with: Array(name.utf8))
        return try FileSender(
            [source.string, "--descriptions", folder.path.string], serve: serve, home: home)
    }

    private var served: [String] {
        get throws { try FileSystem().list(state).compactMap(\.name).filter { $0.hasPrefix("served") } }
    }

    @Test func `two serve at once, and what killed ones left is removed`() throws {
        let left = state.appending("served-left")
        let young = state.appending("served-young")
        for path in [left, young] {
            try FileSystem().makeDirectories(path)
            try FileSystem().replace(path.appending("chunk"), with: [1])
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: left.string)
        let first = try sender("a")
        let second = try sender("b")
        #expect(first.links.count == 1 && second.links.count == 1)
        #expect(try served.count == 3 && served.contains("served-young"))
        for (sender, name) in [(first, "a"), (second, "b")] {
            let received = try Program.valise(
                "file", "receive", try #require(sender.links.first), "--output",
                folder.appending("got-\(name)").string, "--approve-relays", environment: home)
            #expect(received.status == 0, "\(received.errors)")
            let (status, errors) = sender.end()
            #expect(status == 0 && errors.contains("all recipients have received the file"), "\(errors)")
            #expect(!errors.contains("48 hours"), "\(errors)")
        }
        #expect(try served == ["served-young"])
    }

    @Test func `a file that is deleted while it is served was not received`() throws {
        let sender = try sender("a")
        let deleted = try Program.valise(
            "file", "delete", folder.appending("a.xftp").string, environment: home)
        #expect(deleted.status == 0, "\(deleted.errors)")
        let (status, errors) = sender.end()
        #expect(status == 16 && errors.contains("was deleted or expired"), "\(errors)")
        #expect(!errors.contains("all recipients have received the file"))
    }

    @Test func `a port that another program has is named, and nothing is left`() throws {
        let sender = try sender("a")
        let port = try #require(sender.port)
        let second = try self.sender("b", serve: "127.0.0.1:\(port)")
        let (status, errors) = second.end()
        #expect(status == 11)
        #expect(errors.contains("another program is listening on 127.0.0.1, port \(port)"), "\(errors)")
        #expect(!errors.contains("bind") && !errors.contains("errno"), "\(errors)")
        #expect(try served.count == 1)
    }

    @Test(arguments: [
        ("missing", Int32(10), "no such file or folder"), ("folder", 14, "is a folder, not a file"),
    ])
    func `a dry run refuses what cannot be served, as the run does`(
        name: String, status: Int32, words: String
    ) throws {
        let source = folder.appending(name)
        if name == "folder" { try FileSystem().makeDirectories(source) }
        let arguments = ["file", "send", source.string, "--serve", "127.0.0.1"]
        let planned = try Program.run(Program.valise, arguments + ["--dry-run"], environment: home)
        #expect(planned.status == status && planned.errors.contains(words), "\(planned.errors)")
        #expect(planned.output.isEmpty, "\(planned.output)")
        let run = try Program.run(Program.valise, arguments, environment: home)
        #expect(run.status == planned.status && run.errors == planned.errors, "\(run.errors)")
    }

    @Test func `a dry run of serving names the file and its size, and starts nothing`() throws {
        let source = folder.appending("a")
        try FileSystem().replace(source, with: [1, 2, 3])
        let planned = try Program.valise(
            "file", "send", source.string, "--serve", "127.0.0.1", "--dry-run", environment: home)
        #expect(planned.status == 0, "\(planned.errors)")
        #expect(
            planned.output.hasPrefix("would serve \(source) (3 bytes) from this machine\n"),
            "\(planned.output)")
        #expect(try !FileSystem().exists(state))
    }

    @Test func `for a host of Tor nobody but this machine is listened to, and Tor is needed`() throws {
        let first = try sender("a")
        let port = try #require(first.port)
        let host = String(repeating: "a", count: 56) + ".onion:\(port)"
        let arguments = ["file", "send", folder.appending("a").string, "--serve", host]
        let open = try Program.run(Program.valise, arguments, environment: home)
        #expect(open.status == 64 && open.errors.contains("--proxy"), "\(open.errors)")
        let outcome = try Program.run(
            Program.valise, arguments + ["--proxy", "127.0.0.1:1"], environment: home)
        #expect(
            outcome.status == 11 && outcome.errors.contains("127.0.0.1, port \(port)"), "\(outcome.errors)")
    }
}

extension FileSender {
    /// What its relay listens on, as its first link says.
    fileprivate var port: Substring? {
        links.first?.firstMatch(of: /127\.0\.0\.1(?::|%3A|%253A)([0-9]+)/)?.output.1
    }
}
