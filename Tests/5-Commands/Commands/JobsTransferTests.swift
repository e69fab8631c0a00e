import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Sending and receiving as jobs, with a relay that runs beside them.
struct JobsTransferTests: JobsHome {
    let folder: TemporaryFolder
    private let relay: TestRelay
    var environment: [String: String] { ["HOME": folder.path.string] }
    /// In bytes: so much that a transfer can be met while it is at it.
    private static let size = 24_000_000

    init() throws {
        folder = try TemporaryFolder("valise-jobs", inMemory: true)
        relay = try TestRelay(folder.appending("relay"))
    }

    private func file(_ name: String, _ size: Int = size) throws -> FilePath {
        let path = folder.appending(name)
        try FileSystem().replace(path, with: try JobsWorld.randomBytes(size))
        return path
    }

    private func sending(_ files: FilePath...) -> [String] {
        ["file", "send", "--server", relay.address, "--descriptions", folder.path.string]
            + files.map(\.string)
    }

    private func receiving(_ link: String, _ name: String) -> [String] {
        ["file", "receive", link, "--approve-relays", "--output", folder.appending(name).string]
    }

    /// Kills the program as soon as there is a journal of what it transfers.
    private func killWhenBusy(_ arguments: [String]) throws {
        _ = try BusyProgram.run(
            arguments, environment: environment,
            isBusy: {
                let names = try FileSystem().list(folder.path).compactMap(\.name)
                return try BusyProgram.uploads(in: folder.path) > 0
                    || names.contains { $0.hasPrefix(".valise-receive-") }
            }, body: { kill($0, SIGKILL) })
        #expect(try !jobs().isEmpty)
    }

    private func same(_ one: FilePath, _ other: FilePath) throws -> Bool {
        try FileSystem().contents(of: one, limit: 1 << 26) == FileSystem().contents(of: other, limit: 1 << 26)
    }

    @Test func `a killed upload is resumed, its links are printed, and they lead to the file`() throws {
        let source = try file("film")
        try killWhenBusy(sending(source))
        let run = try run("jobs", "run")
        #expect(run.status == 0, "\(run.errors)")
        let link = try #require(
            run.output.split(separator: "\n").first { $0.hasPrefix("simplex:/file") }, "\(run.output)")
        #expect(try jobs().isEmpty)
        let received = try self.run(receiving(String(link), "copy"))
        #expect(received.status == 0, "\(received.errors)")
        #expect(try same(source, folder.appending("copy")))
        #expect(try self.run("file", "send", "--list").output == "no interrupted uploads\n")
    }

    @Test func `a killed download is resumed, and its link is not told by any command about jobs`()
        throws
    {
        let source = try file("film")
        let sent = try run(sending(source))
        let link = try #require(sent.output.split(separator: "\n").first.map(String.init), "\(sent.errors)")
        try killWhenBusy(receiving(link, "copy"))
        for arguments in [["list"], ["list", "--json"], ["show", "2"], ["show", "2", "--json"]] {
            let outcome = try run(["jobs"] + arguments)
            #expect(
                !outcome.output.contains("simplex:") && !outcome.output.contains("desc="), "\(outcome.output)"
            )
        }
        let run = try run("jobs", "run", "--exit-code")
        #expect(run.status == 0 && run.output.contains("received "), "\(run.output) \(run.errors)")
        #expect(try same(source, folder.appending("copy")))
        #expect(try jobs().isEmpty)
    }

    @Test func `a download whose relays nobody approved needs the user, who approves them by an option`()
        throws
    {
        let source = try file("film")
        let sent = try run(sending(source))
        let link = try #require(sent.output.split(separator: "\n").first.map(String.init), "\(sent.errors)")
        var asked = receiving(link, "copy")
        asked.removeAll { $0 == "--approve-relays" }
        // In the foreground that is said, and leaves no job.
        let refused = try run(asked)
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(try jobs().isEmpty)
        try FileSystem().makeDirectories(folder.appending(".config").appending("valise"))
        let list = folder.appending(".config").appending("valise").appending("relays")
        try FileSystem().replace(list, with: Array("\(relay.address)\n".utf8))
        try killWhenBusy(asked)
        try FileSystem().remove(list)
        let run = try run("jobs", "run", "--exit-code")
        let number = try #require(jobs().first?["id"] as? Int)
        let reason =
            "is waiting for you: relays that you have not approved would see your network address: "
            + "\(relay.address). To answer, run: valise jobs resume \(number)\n"
        #expect(run.status == 20 && run.errors.contains(reason), "\(run.errors)")
        let resumed = try self.run("jobs", "resume", "\(number)", "--approve-relays")
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try same(source, folder.appending("copy")))
    }

    @Test func `of several files that are sent, those after a killed one are jobs too`() throws {
        let sources = try [file("one"), file("two", 1000), file("three", 2000)]
        try killWhenBusy(sending(sources[0], sources[1], sources[2]))
        let count = try jobs().count
        let run = try run("jobs", "run")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n").count { $0.hasPrefix("simplex:/file") } == count)
        for name in ["one", "two", "three"] {
            #expect(try FileSystem().exists(folder.appending("\(name).xftp").appending("rcv1.xftp")))
        }
    }

    @Test func `without its relay an upload waits for its next try, and goes on when that is there again`()
        throws
    {
        let source = try file("film", 100_000)
        let silent = "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@127.0.0.1:1"
        let failed = try run(
            "file", "send", "--server", silent, "--descriptions", folder.path.string, source.string)
        #expect(failed.status == 1, "\(failed.errors)")
        // Below the reason.
        let last = failed.errors.split(separator: "\n").last
        #expect(last?.hasPrefix("valise: kept as job 1. Run ") == true, "\(failed.errors)")
        let job = try #require(jobs().first)
        #expect(job["state"] as? String == "waiting" && job["attempts"] as? Int == 1)
        // As long as relays keep a file.
        #expect(job["mostAttempts"] as? Int == 75)
        #expect(job["nextTry"] is String && job["reason"] is String)
        let list = try run("jobs", "list")
        #expect(list.output.contains("waiting") && list.output.contains("in "), "\(list.output)")
        // Asked for in another way, it is another upload.
        #expect(try run(sending(source)).status == 0)
        #expect(try jobs().isEmpty)
    }

    @Test func `an upload is listed once: as its job, and as itself when that is gone`() throws {
        let source = try file("film")
        try killWhenBusy(sending(source))
        #expect(try json("jobs", "list")["operations"] == nil)
        #expect(try run("jobs", "cancel", "1").status == 0)
        let journals = try #require(try json("file", "send", "--list")["uploads"] as? [[String: Any]])
        let left = try json("jobs", "list")["operations"] as? [[String: Any]] ?? []
        #expect(left.count == journals.count, "\(left)")
        // It may have been killed before it had sent anything.
        guard let upload = left.first else { return }
        #expect(upload["type"] as? String == "upload" && upload["replacedPaths"] == nil, "\(upload)")
        _ = try file("film")
        let list = try run("jobs", "list").output
        #expect(list.contains("upload of \(source): interrupted"), "\(list)")
        #expect(list.contains("\(source) was replaced by another file since"), "\(list)")
    }

    @Test func `an upload that is discarded is not begun anew by its job`() throws {
        let source = try file("film")
        try killWhenBusy(sending(source))
        let discarded = try run("file", "send", "--discard", "all")
        #expect(discarded.status == 0, "\(discarded.errors)")
        #expect(try jobs().isEmpty, "\(discarded.output)")
    }
}
