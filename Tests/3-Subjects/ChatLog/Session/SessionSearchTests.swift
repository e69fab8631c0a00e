import SessionBuilders
import Testing
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// A search makes few items of texts that it does not match, and finds what it would find among all.
struct SessionSearchTests {
    @Test(
        arguments: SessionFixture.Program.allCases,
        [
            "message 3", "\"Message 1\"", "picture.jpg", "person", "@'Nick", "called", "é",
            "message -3", Story.rareWord, "voice", "\"voice message (\"", "00:0", "\"); \"", "screenshot",
            "invitation", "disappear", "zzzzzz",
        ])
    func `the hits are those among all items`(_ program: SessionFixture.Program, _ text: String) throws {
        let fixture = try SessionFixture(program, Story(seed: 31, messages: 600, isWide: true))
        let query = try #require(TextQuery(text))
        let log = try fixture.log()
        var (all, found, made) = ([String](), [String](), 0)
        for conversation in try log.conversations(includesHidden: true) {
            try log.forEachItem(of: conversation) { item in
                if query.matches(item.text) { all.append("\(conversation.key) \(item.key)") }
            }
        }
        let places = try log.find(query, progress: { _ in })
        for conversation in try log.conversations(includesHidden: true) {
            try log.forEachItem(places, of: conversation, damaged: { throw $0 }) { item in
                made += 1
                if query.matches(item.text) { found.append("\(conversation.key) \(item.key)") }
            }
        }
        #expect(found == all)
        // Others of the same message have texts of their own.
        #expect(made < 600 && made <= 3 * found.count)
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `expired messages are counted, whether they match or not`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program, Story(seed: 31, messages: 600, isWide: true))
        let expected = fixture.story.messages.count { $0.kind == .expired }
        for text in ["zzzzzz", "message"] {
            let log = try fixture.log(includesExpired: false)
            let places = try log.find(try #require(TextQuery(text)), progress: { _ in })
            for conversation in try log.conversations(includesHidden: true) {
                try log.forEachItem(places, of: conversation, damaged: { throw $0 }, { _ in })
            }
            #expect(log.expired.count == Int64(expected))
        }
    }

    @Test func `a message that is too large for a look is found as damaged, and those behind it as ever`()
        throws
    {
        let large = "UPDATE messages SET json = zeroblob(67200000) WHERE id = 'message-3'"
        let fixture = try SessionFixture(.desktop, messages: 60, statements: [large])
        let log = try fixture.log()
        let places = try log.find(try #require(TextQuery("message")), progress: { _ in })
        var (damaged, found) = (0, 0)
        for conversation in try log.conversations(includesHidden: true) {
            try log.forEachItem(places, of: conversation, damaged: { _ in damaged += 1 }, { _ in found += 1 })
        }
        #expect(damaged == 1)
        #expect(found > 20)
    }
}
