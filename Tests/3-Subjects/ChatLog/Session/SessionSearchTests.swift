import SessionBuilders
import Testing
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// A search makes no items of texts that it does not match, and finds what it would find among all.
struct SessionSearchTests {
    @Test(
        arguments: SessionFixture.Program.allCases,
        [
            "message 3", "\"Message 1\"", "picture.jpg", "person", "@'Nick", "called", "é",
            "message -3", Story.rareWord,
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
            let expired = log.expired.count
            try log.forEachItem(of: conversation, mayMatch: query, damaged: { throw $0 }) { item in
                made += 1
                if query.matches(item.text) { found.append("\(conversation.key) \(item.key)") }
            }
            #expect(log.expired.count == expired)
        }
        #expect(found == all)
        #expect(made < 600)
    }
}
