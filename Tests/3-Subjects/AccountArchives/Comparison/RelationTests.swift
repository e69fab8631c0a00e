import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase

/// Which of two states is the later one: messages were added there, or deleted in the other.
struct RelationTests {
    private let fixture: ComparedFixture

    init() throws {
        fixture = try ComparedFixture()
    }

    private func pair() throws -> (AccountLocation, AccountLocation) {
        (try fixture.account("a"), try fixture.account("b"))
    }

    private func deleteNewest(_ location: AccountLocation) throws {
        try fixture.run(location, "DELETE FROM chat_items WHERE chat_item_id > 130")
    }

    /// Both ways round.
    private func relations(
        _ first: AccountLocation, _ second: AccountLocation
    ) throws -> [AccountRelation] {
        [try fixture.compare(first, second).relation, try fixture.compare(second, first).relation]
    }

    @Test func `deleting the newest messages does not turn the direction round`() throws {
        let (first, second) = try pair()
        try deleteNewest(second)
        try fixture.proceed(second)
        #expect(try relations(first, second) == [.secondContinues, .firstContinues])
        let report = try fixture.compare(first, second)
        #expect(report.messages?.second.only == 0 && report.messages?.first.only ?? 0 > 0)
        #expect(report.later == .second)
    }

    @Test func `where nothing but messages differs, no direction is claimed`() throws {
        let (first, second) = try pair()
        try deleteNewest(second)
        #expect(try relations(first, second) == [.firstHasMore, .secondHasMore])
        #expect(try fixture.compare(first, second).later == .unknown)
    }

    @Test func `a newer time of a row tells the direction where no counter does`() throws {
        let (first, second) = try pair()
        try deleteNewest(second)
        try fixture.touch(second, at: "2031-01-01 00:00:00")
        #expect(try relations(first, second) == [.secondContinues, .firstContinues])
    }

    @Test func `counters are believed rather than times`() throws {
        let (first, second) = try pair()
        try deleteNewest(second)
        try fixture.proceed(second, at: "1999-01-01 00:00:00")
        #expect(try relations(first, second) == [.secondContinues, .firstContinues])
    }

    @Test func `times that disagree tell nothing`() throws {
        let (first, second) = try pair()
        try deleteNewest(second)
        try fixture.run(first, "UPDATE contacts SET updated_at = '2031-01-01' WHERE contact_id = 2")
        try fixture.run(second, "UPDATE contacts SET updated_at = '2031-01-01' WHERE contact_id = 3")
        #expect(try relations(first, second) == [.firstHasMore, .secondHasMore])
    }

    @Test func `two that both counted on have diverged, also where one has all messages`() throws {
        let (first, second) = try pair()
        try fixture.addMessages(2, to: second, at: "2031-01-01 00:00:00")
        let counter = "UPDATE connections SET last_internal_msg_id = last_internal_msg_id + 1 WHERE conn_id"
        let one = "(SELECT conn_id FROM connections ORDER BY conn_id LIMIT 1)"
        try fixture.connect(first, .agent).execute("\(counter) = \(one)")
        try fixture.connect(second, .agent).execute("\(counter) <> \(one)")
        let report = try fixture.compare(first, second)
        #expect(report.evidence.connectionsAheadInFirst == 1 && report.evidence.connectionsAheadInSecond > 0)
        #expect(report.relation == .diverged && report.later == .both)
    }

    @Test func `one that deleted the newest messages and then went on is the continuation`() throws {
        let (first, second) = try pair()
        try fixture.addMessages(3, to: first, at: "2031-01-01 00:00:00")
        try fixture.run(
            second,
            """
            INSERT INTO chat_items (chat_item_id, user_id, contact_id, item_sent, item_ts, item_content, item_text,
                item_status)
            SELECT 900, user_id, contact_id, 1, '2032-01-01 00:00:00', '{}', 'x', 'snd_new' FROM contacts LIMIT 1
            """)
        #expect(try relations(first, second) == [.diverged, .diverged])
        try fixture.proceed(second)
        #expect(try relations(first, second) == [.secondContinues, .firstContinues])
    }

    @Test func `messages of one id and another direction or time are two messages`() throws {
        for change in ["item_sent = 1 - item_sent", "created_at = '2001-01-01 00:00:00'"] {
            let folder = try ComparedFixture()
            let (first, second) = (try folder.account("a"), try folder.account("b"))
            try folder.run(second, "UPDATE chat_items SET \(change) WHERE chat_item_id = 5")
            let messages = try #require(try folder.compare(first, second).messages)
            #expect(messages.reusedIDs == 1 && messages.changed == 0, "\(change)")
            #expect(messages.first.only == 1 && messages.second.only == 1, "\(change)")
        }
    }
}
