import SessionBuilders
import Testing
import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding
import ValiseFailures

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Accounts of Session as conversations of the model.
struct SessionLogTests {
    private typealias Program = SessionFixture.Program

    // MARK: Conversations

    @Test(arguments: SessionFixture.Program.allCases)
    func `conversations have their kinds, names and states`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program)
        let log = try fixture.log()
        let kinds: [Story.ChatKind: Conversation.Kind] = [
            .contact: .contact, .blinded: .contact, .notes: .notes, .group: .group, .legacyGroup: .group,
            .community: .group,
        ]
        let found = try log.conversations()
        for chat in fixture.story.chats {
            let conversation = try #require(found.first { $0.key == SessionLogKey.text(of: chat.id) })
            let person = fixture.story.people.first { $0.id == chat.id }
            #expect(conversation.kind == kinds[chat.kind])
            #expect(conversation.name == (chat.kind == .notes ? "notes" : person?.nickname ?? chat.name))
            #expect(conversation.fullName == (person?.nickname == nil ? nil : chat.name))
            #expect(conversation.hiding == (chat.isHidden ? .conversationDeleted : nil))
            #expect(conversation.items == Int64(fixture.story.messages.count { $0.chat == chat.id }))
            #expect(
                conversation.last?.seconds == fixture.story.messages.last { $0.chat == chat.id }!.sentAt
                    / 1000)
        }
        #expect(Set(found.map(\.key)).count == found.count)
        #expect(Set(found.map(\.localName)).count == found.count)
        #expect(try log.users().map(\.name) == ["Me"])
    }

    @Test func `a request that waits and a contact that never wrote are marked`() throws {
        let fixture = try SessionFixture(messages: 40)
        let found = try fixture.log().conversations()
        let states = fixture.story.people.dropFirst(3).map { person in
            found.first { $0.key == "chat-\(person.id)" }?.hiding
        }
        #expect(states == [.unused, .unused, .request, .unused, .unused])
    }

    @Test(arguments: [
        ("05ab", "chat-05ab"), ("https://open.example/room", nil), ("", nil), ("../x", nil), ("ABC", nil),
        (String(repeating: "a", count: 81), nil),
    ])
    func `keys are names of files, whatever the ID`(_ id: String, _ expected: String?) {
        let key = SessionLogKey.text(of: id)
        if let expected { #expect(key == expected) } else { #expect(key.hasPrefix("chat-digest-")) }
        #expect(key.utf8.count <= 90)
        #expect(!key.contains("/") && !key.contains("."))
    }

    @Test func `keys of conversations select them`() throws {
        let fixture = try SessionFixture(messages: 40)
        let all = try fixture.log().conversations()
        for conversation in all {
            let selector = try #require(ConversationSelector(conversation.key))
            #expect(selector.matches(in: all).map(\.key) == [conversation.key])
        }
    }

    // MARK: Items

    @Test(arguments: SessionFixture.Program.allCases)
    func `each kind of message becomes its items`(_ program: SessionFixture.Program) throws {
        let fixture = try SessionFixture(program)
        let log = try fixture.log()
        for chat in fixture.story.chats {
            let conversation = try #require(
                try log.conversations().first { $0.key == SessionLogKey.text(of: chat.id) })
            var items = try log.items(of: conversation)[...]
            for message in fixture.story.messages where message.chat == chat.id {
                let count = max(1, message.shownFiles.count)
                let expectation = SessionItemExpectation(
                    message, fixture.story, isDirect: [.contact, .notes, .blinded].contains(chat.kind),
                    hasInvitations: program == .desktop)
                expectation.check(Array(items.prefix(count)))
                items = items.dropFirst(count)
            }
            #expect(items.isEmpty)
        }
    }

    @Test(arguments: SessionFixture.Program.allCases)
    func `keys are unique, and a quote has that of what it quotes`(_ program: SessionFixture.Program) throws {
        let all = try SessionFixture(program).log().allItems()
        var quotes = 0
        for items in all.values {
            let keys = Set(items.map(\.key))
            #expect(keys.count == items.count)
            for quote in items.compactMap(\.quote) {
                quotes += 1
                let quoted = items.first { $0.key == quote.key }
                // Events are quoted by nobody but the synthetic story.
                if let quoted { #expect(quoted.author == quote.author) }
            }
            #expect(items.map(\.time.value) == items.map(\.time.value).sorted { $0! < $1! })
        }
        #expect(quotes > 20)
    }

    @Test func `numbers and keys are the same when the rows were written anew`() throws {
        let fixture = try SessionFixture(messages: 100)
        let again = try SessionFixture(
            messages: 100,
            statements: [
                "CREATE TEMP TABLE copy AS SELECT * FROM messages ORDER BY id DESC",
                "DELETE FROM messages", "INSERT INTO messages SELECT * FROM copy",
            ])
        let (before, after) = (try fixture.log().allItems(), try again.log().allItems())
        #expect(before.mapValues { $0.map(\.row) } == after.mapValues { $0.map(\.row) })
        #expect(before.mapValues { $0.map(\.key) } == after.mapValues { $0.map(\.key) })
    }

    @Test func `messages of the same moment are in the order of their numbers`() throws {
        let fixture = try SessionFixture(
            messages: 200,
            statements: [
                "UPDATE messages SET sent_at = 5, received_at = 5, serverTimestamp = NULL",
                "UPDATE messages SET json = json_set(json, '$.sent_at', 5, '$.received_at', 5)",
                "UPDATE messages SET json = json_remove(json, '$.serverTimestamp')",
            ])
        for items in try fixture.log().allItems().values {
            #expect(items.map(\.row) == items.map(\.row).sorted())
        }
    }

    // MARK: The newest

    @Test(arguments: [Int64(0), 1, 2, 7, 30, 1000], [true, false])
    func `the newest are the last of all`(_ count: Int64, _ includesExpired: Bool) throws {
        let fixture = try SessionFixture(messages: 420)
        let log = try fixture.log(includesExpired: includesExpired)
        for conversation in try log.conversations() {
            let all = try log.items(of: conversation)
            let newest = try log.items(of: conversation, newest: count)
            #expect(newest.map(\.key) == all.suffix(Int(count)).map(\.key))
        }
    }

    @Test func `pages and matches have the numbers of items`() throws {
        let fixture = try SessionFixture(messages: 200)
        let log = try fixture.log()
        let conversation = try #require(try fixture.conversation(log, .group))
        let items = try log.items(of: conversation)
        var keys: [String] = []
        try log.forEachOutline(of: conversation, damaged: { throw $0 }) { keys.append($0.key) }
        #expect(keys == items.map(\.key))
        var found: [(String, Int64)] = []
        try log.forEachMatch(
            in: conversation, where: { text, _ in text.contains("Message") }, damaged: { throw $0 },
            { found.append(($0.key, $1)) })
        #expect(!found.isEmpty)
        for (key, ordinal) in found { #expect(items[Int(ordinal)].key == key) }
    }

    // MARK: What is expired or damaged

    @Test func `expired messages are left out and counted once`() throws {
        let fixture = try SessionFixture()
        let count = fixture.story.messages.count { $0.kind == .expired }
        let log = try fixture.log(includesExpired: false)
        for _ in 0..<2 { _ = try log.allItems() }
        #expect(count > 5)
        #expect(log.expired.count == Int64(count))
        let texts = Set(try log.allItems().values.joined().map(\.text))
        for message in fixture.story.messages where message.kind == .expired {
            #expect(!texts.contains(message.body ?? ""))
        }
        let all = try fixture.log(includesExpired: true)
        #expect(try all.allItems().values.joined().count - count == log.allItems().values.joined().count)
        #expect(all.expired.count == 0)
    }

    @Test func `what cannot be read is an item with all that is stored`() throws {
        let fixture = try SessionFixture(
            messages: 40, statements: ["UPDATE messages SET json = '{\"broken' WHERE id = 'message-0'"])
        let log = try fixture.log()
        let items = try log.items(
            of: try #require(
                log.conversations().first {
                    $0.key == SessionLogKey.text(of: fixture.story.chats[0].id)
                }))
        // One of its five messages has three files.
        #expect(items.count == 7)
        #expect(items[0].kind == .unreadable)
        #expect(items[0].text == "Message 0")
        #expect(items[0].storedContent.contains("broken"))
        #expect(items[1...].allSatisfy { $0.kind != .unreadable })
    }

    @Test func `a row that cannot be read is told, and the others are read`() throws {
        let fixture = try SessionFixture(
            .phone, messages: 40,
            statements: ["UPDATE interaction SET variant = 'strange' WHERE id = 9"])
        let log = try fixture.log()
        let conversation = try #require(
            log.conversations().first {
                $0.key == SessionLogKey.text(of: fixture.story.chats[0].id)
            })
        var (items, damaged): ([ConversationItem], [DatabaseError]) = ([], [])
        try log.forEachItem(
            of: conversation, damaged: { damaged.append($0) }, { items.append($0) })
        #expect(items.count == 6)
        #expect(damaged.map(\.code) == [.damaged])
        #expect(damaged.map(\.isOfRow) == [true])
    }
}
