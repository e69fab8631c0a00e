import FaultInjection
import SessionBuilders
import Testing
import ValiseChatSchema
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Accounts of twenty thousand messages of every kind, of each line of schemas that is known.
struct SessionScaleTests {
    struct Era: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let program: SessionFixture.Program
        var desktop = DesktopBuilder()
        var phone = PhoneEra.current
        /// Whether it has all of them in the short form too.
        var isLarge = false
    }

    static let eras =
        DesktopBuilder.eras.enumerated().map { index, builder in
            Era(
                testDescription: "Desktop \(builder.userVersion), \(builder.version)", program: .desktop,
                desktop: builder, isLarge: index == 0)
        }
        + PhoneEra.allCases.map { era in
            Era(testDescription: "iOS \(era)", program: .phone, phone: era, isLarge: era == .current)
        }

    @Test(arguments: eras) func `all messages are read, searched and shown`(_ era: Era) throws {
        let count = era.isLarge || FaultSweep.isIntact ? 20_000 : 2000
        let story = Story(seed: 77, messages: count, isWide: true)
        let fixture = try SessionFixture(era.program, story, desktop: era.desktop, era: era.phone)
        let expected = Tally(of: story, era.program)
        let log = try fixture.log()
        var (found, damaged) = (Tally(), 0)
        let query = try #require(TextQuery(Story.rareWord.uppercased()))
        let conversations = try log.conversations(includesHidden: true, damaged: { _ in damaged += 1 })
        for conversation in conversations {
            var items: Int64 = 0
            try log.forEachItem(of: conversation, damaged: { _ in damaged += 1 }) { item in
                found.add(item, query)
                items += 1
            }
            #expect(items >= conversation.items, "\(conversation.key)")
        }
        #expect(damaged == 0)
        #expect(found == expected)
        #expect(found.hits > 0 && Set(found.kinds.keys).isSuperset(of: [.video, .voice, .call, .event]))
        #expect(conversations.reduce(0) { $0 + $1.items } == Int64(count))
        #expect(conversations.count { $0.hiding == .request } == 1)
        #expect(conversations.count { $0.hiding == .conversationDeleted } == 2)
        try checkPages(of: log, conversations, expected)
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `expired messages are left out and counted`(_ program: SessionFixture.Program) throws {
        let story = Story(seed: 78, messages: 4000, isWide: true)
        let log = try SessionFixture(program, story).log(includesExpired: false)
        var items = 0
        for conversation in try log.conversations(includesHidden: true, damaged: { throw $0 }) {
            try log.forEachItem(of: conversation) { _ in items += 1 }
        }
        let expired = story.messages.count { $0.kind == .expired }
        #expect(log.expired.count == Int64(expired))
        #expect(items == Tally(of: story, program).items - expired)
    }

    private func checkPages(
        of log: SessionLog, _ conversations: [Conversation], _ expected: Tally
    ) throws {
        let sink = CountedPages()
        var export = HTMLExport(
            HTMLOptions(templates: try PageTemplates(), offset: { _ in 0 }), sink: sink, spill: MemorySpill())
        try export.write(conversations, of: log, damaged: { throw $0 })
        try export.finish()
        #expect(sink.items == expected.items)
        #expect(sink.hits == expected.hits)
        #expect(sink.events == expected.events)
    }
}

/// How much there is of each kind.
private struct Tally: Equatable {
    private(set) var kinds: [ItemKind: Int] = [:]
    private(set) var files = 0
    private(set) var present = 0
    private(set) var quotes = 0
    private(set) var reactions = 0
    private(set) var failed = 0
    private(set) var unread = 0
    private(set) var disappearing = 0
    private(set) var mentions = 0
    private(set) var hits = 0

    var items: Int { kinds.values.reduce(0, +) }
    /// What pages show as a line of its own.
    var events: Int { kinds[.event, default: 0] + kinds[.call, default: 0] }

    init() {}

    init(of story: Story, _ program: SessionFixture.Program) {
        for message in story.messages {
            let expectation = SessionItemExpectation(
                message, story, isDirect: false, hasInvitations: program == .desktop)
            for kind in expectation.kinds { kinds[kind, default: 0] += 1 }
            files += message.shownFiles.count
            present += message.shownFiles.count(where: \.isThere)
            quotes += message.quote == nil ? 0 : 1
            reactions += message.reactions.reduce(0) { $0 + $1.authors.count }
            failed += message.kind == .failed && message.isSent ? 1 : 0
            unread += message.isUnread ? 1 : 0
            disappearing += message.lifetime == nil ? 0 : 1
            mentions += message.kind == .mention ? 1 : 0
            hits += message.body?.contains(Story.rareWord) == true ? 1 : 0
        }
    }

    mutating func add(_ item: ConversationItem, _ query: TextQuery) {
        kinds[item.kind, default: 0] += 1
        if let file = item.file {
            files += 1
            present += file.path == nil ? 0 : 1
        }
        quotes += item.quote == nil ? 0 : 1
        reactions += item.reactions.reduce(0) { $0 + $1.authors.count }
        failed += item.status?.hasPrefix("snd_error") == true ? 1 : 0
        unread += item.isUnread ? 1 : 0
        disappearing += item.lifetime == nil ? 0 : 1
        mentions += item.mentions.isEmpty ? 0 : 1
        hits += item.isShown && query.matches(item.text) ? 1 : 0
    }
}

/// What the pages have, without keeping them.
private final class CountedPages: PageSink {
    private(set) var items = 0
    private(set) var events = 0
    private(set) var hits = 0

    func write(_ path: String, _ bytes: [UInt8]) {
        guard path.hasSuffix(".html"), path.hasPrefix("pages/"), !path.hasSuffix("index.html") else { return }
        let events = count("<p class=\"e\" id=\"m-", in: bytes)
        self.events += events
        items += events + count("<article id=\"m-", in: bytes)
        hits += count(Story.rareWord, in: bytes)
    }

    private func count(_ text: String, in bytes: [UInt8]) -> Int {
        let wanted = Array(text.utf8)
        var (found, place) = (0, 0)
        while let next = bytes[place...].firstIndex(of: wanted[0]) {
            if bytes[next...].starts(with: wanted) { found += 1 }
            place = next + 1
        }
        return found
    }
}
