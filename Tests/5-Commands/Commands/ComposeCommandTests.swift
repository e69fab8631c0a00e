import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise compose`, on an account that the official program made.
struct ComposeCommandTests {
    private let world: CoreWorld

    init() throws { world = try CoreWorld(.alice, rawKey: true) }

    private struct Report: Decodable {
        struct Message: Decodable {
            struct Size: Decodable {
                let value: Int
                let limit: Int
                let isBroken: Bool
            }

            let kind: String
            let content: String?
            let text: String
            let size: Size?
        }

        struct Limit: Decodable {
            let kind: String
            let value: Int
            let limit: Int
            let isBroken: Bool
        }

        let type: String
        let chat: String
        let reference: String
        let isSendable: Bool
        let messages: [Message]
        let commands: [String]
        let refusals: [String]
        let limits: [Limit]
        let waveform: [Int]?
    }

    private func run(
        _ arguments: [String], to chat: String = "@robert", text: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        let words = text == nil ? [] : ["--text", "-"]
        return try Program.run(
            Program.valise, ["compose", world.account, "--chat", chat] + arguments + words + world.key,
            environment: ["HOME": world.folder.path.string].merging(environment) { $1 }, input: text)
    }

    private func report(
        _ arguments: [String] = [], to chat: String = "@robert", text: String? = nil, status: Int32 = 0,
        environment: [String: String] = [:]
    ) throws -> Report {
        let outcome = try run(arguments + ["--json"], to: chat, text: text, environment: environment)
        #expect(outcome.status == status, "\(outcome)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.type == "composition" && report.isSendable == (status == 0))
        return report
    }

    /// The number of a message of the chat, and its ID.
    private func last(sent: Bool) throws -> (row: Int, id: String, time: String) {
        let outcome = try world.valise("chat", "show", world.account, "@robert", "--all", "--json")
        let lines = try outcome.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let found = try #require(
            lines.last {
                let author = ($0["author"] as? [String: Any])?["id"] as? String
                return $0["kind"] as? String == "text" && (author == "me") == sent && $0["forward"] == nil
            })
        return (
            try #require(found["row"] as? Int), try #require(found["id"] as? String),
            try #require(found["time"] as? String)
        )
    }

    @Test func `a text is shown with its size and the command that sends it`() throws {
        let outcome = try run([], text: "hello *there*\n")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.output.hasPrefix("would be sent to "))
        #expect(outcome.output.contains(" bytes on the wire\n     hello *there*\n"))
        #expect(
            outcome.output.contains(
                #"json [{"msgContent":{"type":"text","text":"hello *there*"},"mentions":{}}]"#))
        let report = try report(text: "hello\n")
        #expect(report.messages.map(\.text) == ["hello"] && report.commands.count == 1)
        #expect(report.commands[0].hasPrefix("/_send \(report.reference) json ["))
    }

    @Test func `a message is answered by its number, by its ID or as the last one`() throws {
        let item = try last(sent: false)
        for name in ["\(item.row)", item.id] {
            let report = try report(["--reply-to", name], text: "yes")
            #expect(
                report.commands[0].contains("\"quotedItemId\":\(item.row),"), "\(name): \(report.commands)")
        }
        #expect(try report(["--reply-to", "last"], text: "yes").commands[0].contains("\"quotedItemId\":"))
    }

    @Test func `a message that is older than a day, or of somebody else, is not edited`() throws {
        let own = try report(["--edit", "\(last(sent: true).row)"], text: "other", status: 1)
        #expect(
            own.refusals.contains { $0.hasSuffix("it is older than 24 hours") } && own.commands.isEmpty,
            "\(own)")
        let other = try report(["--edit", "\(last(sent: false).row)"], text: "other", status: 1)
        #expect(other.refusals.contains { $0.hasSuffix("somebody else sent it") })
        let last = try report(["--edit", "last"], text: "other", status: 1)
        #expect(!last.refusals.contains { $0.hasSuffix("somebody else sent it") }, "\(last.refusals)")
    }

    /// Some fifty thousand bytes that hardly compress: this chat is one where messages are compressed.
    private static let manyWords = {
        var random = SeededGenerator(seed: 7)
        let words = (0..<4500).map { _ in
            String(UInt64.random(in: 0 ... .max, using: &random), radix: 36).prefix(10)
        }
        return stride(from: 0, to: words.count, by: 9).map { words[$0..<$0 + 9].joined(separator: " ") + "." }
            .joined(separator: " ")
    }()

    @Test func `a long text is refused, or split`() throws {
        let text = Self.manyWords
        let whole = try report(text: text, status: 1)
        #expect(whole.messages[0].size?.isBroken == true && whole.commands.isEmpty)
        #expect(whole.refusals.contains { $0.contains(" on the wire: at most ") }, "\(whole.refusals)")
        let parts = try report(["--split"], text: text)
        #expect(parts.messages.count > 3 && parts.messages.allSatisfy { $0.size?.isBroken == false })
        #expect(parts.messages.allSatisfy { $0.text.hasSuffix(".") })
        let shown = try run([], text: text)
        #expect(shown.status == 1 && shown.output.hasPrefix("cannot be sent to "))
        #expect(shown.output.contains("\nnot possible: "))
    }

    @Test func `files go with the text, and are never changed`() throws {
        let file = world.folder.appending("notes.txt")
        try FileSystem().replace(file, with: Array("notes".utf8))
        let report = try report(["--attach", file.string], text: "see")
        #expect(report.messages.map(\.content) == ["file"])
        #expect(report.commands[0].contains("\"fileSource\":{\"filePath\":\"\(file)\"}"))
        let two = try self.report(["--attach", file.string, "--attach", file.string], status: 1)
        #expect(two.refusals == ["nothing can be attached: remove the present attachment first"])
        #expect(try FileSystem().contents(of: file, limit: 100) == Array("notes".utf8))
    }

    @Test(.enabled(if: OtherProgram.isThere("ffmpeg", "ffprobe")))
    func `pictures, videos and voice messages are prepared`() throws {
        func make(_ name: String, _ arguments: String...) throws -> String {
            let path = world.folder.appending(name).string
            let outcome = try #require(OtherProgram("ffmpeg")).run(["-v", "error"] + arguments + [path])
            #expect(outcome.status == 0, "\(outcome.output)")
            return path
        }
        let picture = try make("a.png", "-f", "lavfi", "-i", "testsrc=size=2000x1500", "-frames:v", "1")
        let film = try make("b.mp4", "-f", "lavfi", "-i", "testsrc=duration=2:size=320x240", "-c:v", "mpeg4")
        let voice = try make("c.m4a", "-f", "lavfi", "-i", "sine=duration=3", "-c:a", "aac")
        let prepared = world.folder.appending("prepared")
        let media = try report(
            ["--attach", picture, "--attach", film, "--prepared", prepared.string], text: "both")
        #expect(
            media.messages.map(\.content) == ["image", "video"] && media.messages.map(\.text) == ["", "both"])
        #expect(media.limits.allSatisfy { !$0.isBroken })
        let attributes = try #require(try FileSystem().attributes(of: prepared.appending("a.jpg")))
        #expect(attributes.permissions == .ownerReadWrite && attributes.size <= 261_120)
        #expect(media.commands[0].contains("\"filePath\":\"\(prepared.appending("a.jpg"))\""))
        // The same picture has the same file.
        _ = try report(["--attach", picture, "--prepared", prepared.string])
        #expect(try TemporaryFolder.contents(of: prepared).count == 1)
        let unprepared = try run(["--attach", picture])
        #expect(unprepared.status == 0 && unprepared.errors.contains("a.png goes as it is"), "\(unprepared)")
        // Robert does not want any.
        let refused = try report(["--voice", voice], status: 1)
        #expect(refused.refusals == ["voice messages are not allowed in this chat"])
        let spoken = try report(["--voice", voice], to: "notes-1")
        #expect(spoken.messages.map(\.content) == ["voice"] && spoken.waveform?.count == 100)
        let asFile = try report(["--attach", picture, "--as-files"])
        #expect(asFile.messages.map(\.content) == ["file"])
        let silent = try run(["--voice", film])
        #expect(silent.status == 14 && silent.errors.contains("a voice message is an M4A with sound only"))
    }

    @Test func `a page is looked at only when asked, and never through a proxy into its network`() throws {
        let server = try PageServer()
        let text = "see \(server.address("page"))"
        #expect(try report(text: text).messages.map(\.content) == ["text"])
        let denied = try run(["--preview"], text: text)
        #expect(denied.status == 0 && denied.errors.contains("no preview of "), "\(denied)")
        let report = try report(["--preview", "--allow-private"], text: text)
        #expect(
            report.messages.map(\.content) == ["link"] && report.commands[0].contains("\"title\":\"A & B\""))
        // It answers for every host, as a proxy.
        let proxy = ["http_proxy": server.address("").dropLast().description]
        let proxied = try self.report(
            ["--preview"], text: "see http://site.example/page", environment: proxy)
        #expect(proxied.messages.map(\.content) == ["link"])
        let led = try run(["--preview"], text: "see http://site.example/to-local", environment: proxy)
        #expect(led.errors.contains("router.lan is not on the public network"), "\(led)")
        let pictured = try run(
            ["--preview"], text: "see http://site.example/foreign-picture", environment: proxy)
        #expect(
            pictured.errors.contains("has no picture: localhost is not on the public network"), "\(pictured)")
    }

    @Test func `a draft survives, encrypted, and goes when asked`() throws {
        _ = try report(["--keep-draft"], text: "half a thought about zqword")
        let drafts = world.folder.appending(".local/state/valise/drafts")
        let files = try TemporaryFolder.contents(of: drafts)
        #expect(
            files.count == 1 && files.allSatisfy { $0.value?.firstRange(of: Array("zqword".utf8)) == nil })
        let name = try #require(files.keys.first)
        let attributes = try #require(try FileSystem().attributes(of: drafts.appending(name)))
        #expect(attributes.permissions == .ownerReadWrite)
        #expect(try report(["--restore-draft"]).messages.map(\.text) == ["half a thought about zqword"])
        // What is typed takes the place of the draft's text.
        #expect(try report(["--restore-draft"], text: "whole").messages.map(\.text) == ["whole"])
        #expect(try run(["--forget-draft"]).output == "removed the draft\n")
        let gone = try run(["--restore-draft"])
        #expect(gone.status == 10 && gone.errors.contains("no draft is kept of this chat"))
        #expect(try run(["--forget-draft"]).output == "no draft was kept\n")
    }

    @Test(arguments: [
        ([], "nothing to compose"), (["--edit", "1", "--reply-to", "2"], "exclude each other"),
        (["--forget-draft", "--attach", "x"], "goes with no other"),
        (["--allow-private", "--as-files"], "--preview"),
    ])
    func `what makes no sense is refused`(arguments: [String], words: String) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome)")
    }

    @Test func `an export has no drafts and no rows`() throws {
        let export = world.folder.appending("export").string
        #expect(try world.valise("chat", "export", world.account, export).status == 0)
        let outcome = try Program.run(
            Program.valise, ["compose", export, "--chat", "@robert", "--text", "-"], input: "x")
        #expect(outcome.status == 14 && outcome.errors.contains("only an account has"), "\(outcome)")
    }
}
