import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseDatabase
import ValiseEncoding
import ValiseFiles

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Exports of accounts of Session in all forms.
struct SessionExportTests {
    private let target: TemporaryFolder
    private static let (first, second) = (UTCTime(seconds: 1_900_000_000), UTCTime(seconds: 1_900_000_100))

    init() throws { target = try TemporaryFolder(inMemory: true) }

    @discardableResult
    private func export(
        _ log: any ConversationSource, media: ConversationMedia? = nil, at time: UTCTime = first
    ) throws -> ConversationExport.Report {
        let conversations = try log.conversations(includesHidden: true, damaged: { throw $0 })
        let report = try ConversationExport(time: time).run(
            log, conversations, to: target.path,
            media: { file, item, conversation in
                try media?.export(file, of: item, in: conversation, checkpoint: {})
            })
        try media?.finish()
        return report
    }

    /// What an export keeps of items.
    private func lines(_ items: [ConversationItem]) -> [String] {
        var writer = JSONLineWriter()
        return items.map { String(decoding: writer.line(of: $0, in: "chat"), as: UTF8.self) }
    }

    // MARK: JSON lines

    @Test(arguments: SessionFixture.Program.allCases)
    func `an export has all that the account has`(_ program: SessionFixture.Program) throws {
        let log = try SessionFixture(program).log()
        let report = try export(log)
        #expect(report.damaged == [])
        let exported = try ExportedLog(target.path)
        #expect(exported.program == "session")
        let (before, after) = (
            try log.conversations(), try exported.conversations(includesHidden: true, damaged: { throw $0 })
        )
        #expect(before == after)
        var count = 0
        for conversation in before {
            let (original, read) = (try log.items(of: conversation), try exported.items(of: conversation))
            #expect(lines(original) == lines(read))
            #expect(original.map(\.content) == read.map(\.content))
            #expect(original.map(\.kind) == read.map(\.kind))
            count += read.count
        }
        #expect(report.items == Int64(count) && count > 420)
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `an update adds nothing where nothing changed`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program)
        let report = try export(fixture.log())
        #expect(report.added == report.items)
        let again = try export(fixture.log(), at: Self.second)
        #expect((again.added, again.gone) == (0, 0))
        #expect(again.items == report.items)
    }

    @Test func `an update keeps what is gone, and knows what was written anew`() throws {
        let before = try SessionFixture(messages: 200)
        try export(before.log())
        let gone = before.story.messages[17]
        let after = try SessionFixture(
            messages: 200,
            statements: [
                "DELETE FROM messages WHERE id = '\(gone.id)'",
                // As the app writes a message that changed.
                "INSERT OR REPLACE INTO messages SELECT * FROM messages WHERE id = 'message-24'",
            ])
        let report = try export(after.log(), at: Self.second)
        #expect(report.added == 0)
        #expect(report.gone == Int64(max(1, gone.shownFiles.count)))
        let marked = try ExportedLog(target.path).allItems().values.joined().filter { $0.gone != nil }
        #expect(marked.map(\.row) == [MessageNumbers.number(gone.id)])
    }

    // MARK: Views

    private static let hostile = "<script>alert('x')</script> & \"quoted\""

    @Test func `pages have all texts, escaped`() throws {
        var story = Story(seed: 4, messages: 200)
        for index in story.messages.indices where story.messages[index].kind == .text {
            story.messages[index].body = Self.hostile
        }
        story.chats[0].name = "<b>bold</b>"
        story.people[0].nickname = nil
        story.people[0].name = "<b>bold</b>"
        let log = try SessionFixture(.desktop, story).log()
        let sink = PageTexts()
        var export = HTMLExport(
            HTMLOptions(templates: try PageTemplates(), offset: { _ in 0 }), sink: sink, spill: MemorySpill())
        let conversations = try log.conversations()
        try export.write(conversations, of: log, damaged: { throw $0 })
        try export.finish()
        let pages = sink.pages
        #expect(!pages.contains("<script>alert") && !pages.contains("<b>bold"))
        #expect(pages.contains("&lt;script&gt;alert"))
        #expect(pages.contains("&lt;b&gt;bold"))
        for text in [
            "took a screenshot", "accepted the message request", "Lokinet", "https://example.org/only",
        ] {
            #expect(pages.contains(text), "\(text)")
        }
        #expect(pages.contains("class=\"q\" href=\"#m-"))
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `each view has each message`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program, messages: 220)
        let log = try fixture.log()
        let damaged = try ViewExport().run(
            log, log.conversations(), [.html, .text, .markdown, .csv], to: target.path)
        #expect(damaged == [])
        for format in ["text", "markdown", "csv"] {
            let folder = target.path.appending(format)
            var all = ""
            for entry in try FileSystem().list(folder) {
                let path = folder.appending(entry.name ?? "")
                all += String(decoding: try FileSystem().contents(of: path, limit: 1 << 22), as: UTF8.self)
            }
            for message in fixture.story.messages where message.kind == .text {
                #expect(all.contains("Message \(message.number)"), "\(format)")
            }
            for text in ["incoming call", "album 2", "turned off disappearing messages"] {
                #expect(all.contains(text), "\(format) \(text)")
            }
        }
    }

    // MARK: Files

    @Test(arguments: SessionFixture.Program.allCases)
    func `files are exported decrypted, and what is missing or damaged is counted`(
        _ program: SessionFixture.Program
    ) throws {
        let fixture = try SessionFixture(program)
        let files = fixture.story.messages.flatMap(\.shownFiles)
        let there = files.filter(\.isThere)
        let (missing, damaged) = (there[0], try #require(there.last { $0.content.count > 10 }))
        try FileSystem().remove(path(of: missing, fixture))
        // Something else of another length, and for Desktop without a valid tag.
        try TestFiles.write([UInt8](repeating: 1, count: 500), to: path(of: damaged, fixture))
        let log = try fixture.log()
        let media = try ConversationMedia(SessionItemFiles(fixture.store()), to: target.path)
        try export(log, media: media)
        #expect(media.counts[.missing] == 1)
        #expect(media.counts[.damaged] == 1)
        #expect(media.counts[.unfinished] == files.count - there.count)
        #expect(
            media.problems.map(\.name).sorted() == [missing, damaged].map { $0.name ?? "voice.aac" }.sorted())
        var found: Set<[UInt8]> = []
        for item in try ExportedLog(target.path).allItems().values.joined() {
            guard let exported = item.file?.exported, exported.state == .present else { continue }
            let path = target.path.pushing(FilePath(try #require(exported.path)))
            found.insert(try FileSystem().contents(of: path, limit: 1 << 16))
        }
        let expected = there.filter { $0.address != missing.address && $0.address != damaged.address }
        #expect(found == Set(expected.map(\.content)))
    }

    private func path(of file: StoryMessage.File, _ fixture: SessionFixture) throws -> FilePath {
        switch fixture.program {
        case .desktop:
            DesktopBuilder.attachments(fixture.place).pushing(FilePath(DesktopBuilder.path(of: file)))
        case .phone: fixture.place.appending("Attachments").appending(try PhoneBuilder.name(of: file))
        }
    }

    // MARK: Redaction

    @Test(arguments: SessionFixture.Program.allCases)
    func `where names are kept back there is none, and no ID`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program, messages: 210)
        var redaction = ChatRedaction()
        redaction.categories = [.names]
        let log = try RedactedSource(fixture.log(), redaction)
        var writer = JSONLineWriter()
        let conversations = try log.conversations(includesHidden: true, damaged: { throw $0 })
        #expect(Set(conversations.map(\.key)).count == conversations.count)
        for conversation in conversations {
            let items = try log.items(of: conversation)
            let text =
                lines(items).joined() + String(decoding: writer.line(of: conversation), as: UTF8.self)
            for person in fixture.story.people {
                for secret in [person.id, person.name, person.nickname].compactMap(\.self) {
                    #expect(!text.contains(secret), "\(conversation.key)")
                }
            }
            #expect(!text.contains(fixture.story.ownID))
            // As all hashes of the story begin.
            #expect(!text.contains(#/hash[0-9]+\//#))
        }
    }

    // MARK: Many

    @Test func `memory does not grow with the messages`() throws {
        let count = FaultSweep.isIntact ? 20_000 : 2000
        let fixture = try SessionFixture(messages: count)
        let log = try fixture.log()
        var (items, most): (Int, Int) = (0, 0)
        let conversations = try log.conversations()
        let before = ProcessMemory.resident ?? 0
        for conversation in conversations {
            try log.forEachItem(
                of: conversation, damaged: { throw $0 },
                { _ in
                    items += 1
                    if items % 1000 == 0 { most = max(most, (ProcessMemory.resident ?? 0) - before) }
                })
        }
        #expect(items > count)
        // All items at once take some hundred megabytes.
        #expect(most < 48 << 20, "\(most)")
    }
}

/// The pages that were written.
private final class PageTexts: PageSink {
    private(set) var pages = ""

    func write(_ path: String, _ bytes: [UInt8]) {
        if path.hasSuffix(".html") { pages += String(decoding: bytes, as: UTF8.self) }
    }
}

/// The numbers that stand for IDs.
private enum MessageNumbers {
    static func number(_ id: String) -> Int64 { Int64(KeyHash.of(id) >> 11) }
}
