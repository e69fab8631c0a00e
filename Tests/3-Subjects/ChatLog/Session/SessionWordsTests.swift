import SessionBuilders
import Testing
import ValiseChatSchema
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Sentences about what happened, and mentions.
struct SessionWordsTests {
    private static let names: [String] = [
        "05" + String(repeating: "a", count: 64), "05" + String(repeating: "b", count: 64),
    ]

    private func authors() throws -> SessionAuthors {
        var story = Story(seed: 2, messages: 0)
        story.people[0].id = Self.names[0]
        story.people[0].nickname = "Kim"
        story.chats.removeAll { $0.kind == .contact }
        let store = try SessionFixture(.desktop, story).store()
        let group = try #require(try store.conversations { throw $0 }.first { $0.kind == .group })
        return try SessionAuthors(group, SessionNames(of: store))
    }

    @Test(arguments: [
        (#"{"joined":["A","B"]}"#, "added Kim, B"), (#"{"left":["A"]}"#, "reported that Kim left"),
        (#"{"kicked":["B"],"joined":[]}"#, "removed B"), (#"{"promoted":["A"]}"#, "promoted Kim to admin"),
        (#"{"name":"New <name>"}"#, "changed the group's name to New <name>"),
        (#"{"avatarChange":true}"#, "changed the group's picture"),
        (#"{"name":"X","joined":["B"]}"#, "changed the group's name to X; added B"),
        (#"{"other":[1]}"#, #"changed the group: {"other":[1]}"#), ("{}", "changed the group"),
        ("", "changed the group"), ("Kim has left.", "changed the group: Kim has left."),
    ])
    func `changes of groups are sentences`(_ stored: String, _ expected: String) throws {
        func named(_ text: String) -> String {
            text.replacing(#""A""#, with: "\"\(Self.names[0])\"").replacing(
                #""B""#, with: "\"\(Self.names[1])\"")
        }
        let text = SessionGroupChange(named(stored), try authors()).text
        #expect(text == expected.replacing(#/\bB\b/#, with: Self.names[1]))
    }

    @Test(arguments: [
        ("missed-call", "missed", false), ("started-call", "started", true),
        ("answered-a-call", "answered", false), (#"{"state":{"missed":{}}}"#, "missed", false),
        (#"{"state":{"outgoing":{}}}"#, "started", true), (#"{"state":"incoming"}"#, "received", false),
        ("", "unknown outcome", false), ("something-new", "something-new", false),
    ])
    func `outcomes of calls have words`(_ stored: String, _ outcome: String, _ isOutgoing: Bool) {
        let call = SessionCall(stored)
        #expect((call.outcome, call.isOutgoing) == (outcome, isOutgoing))
    }

    @Test func `an ID behind an at sign is a mention`() throws {
        let authors = try authors()
        let found = authors.mentions(
            in: "@\(Self.names[0]) and @\(Self.names[1])! not @05ab, @, @\(Self.names[0].dropLast())é")
        #expect(found.count == 2)
        #expect(found[Self.names[0]]?.name == "Kim")
        #expect(found[Self.names[1]]?.name == Self.names[1])
    }

    @Test(arguments: [
        ("@A hello", "@Kim hello", ["Kim"]), ("hello @A", "hello @Kim", ["Kim"]),
        ("@A, and @A!", "@'Kim', and @'Kim'!", ["Kim"]), ("(@A)\n@A\n", "(@'Kim')\n@Kim\n", ["Kim"]),
        // Nobody knows this one.
        ("@B and @A", "@B and @Kim", ["B", "Kim"]), ("a@b.example @", "a@b.example @", []),
        ("@é @", "@é @", []), ("", "", []),
    ])
    func `names stand for the IDs of who is mentioned`(
        _ stored: String, _ expected: String, _ mentioned: [String]
    ) throws {
        func filled(_ text: String) -> String {
            text.replacing(#/@A/#, with: "@\(Self.names[0])").replacing(#/@B/#, with: "@\(Self.names[1])")
        }
        let (text, mentions) = try authors().named(filled(stored))
        #expect(text == filled(expected))
        #expect(
            Set(mentions.keys) == Set(mentioned.map { $0 == "B" ? Self.names[1] : $0 }))
        #expect(mentions["Kim"].map { $0.key == Self.names[0] } ?? true)
    }

    @Test(arguments: [
        ("Kim", " ", "@Kim"), ("Kim", "s", "@'Kim's"), ("Kim B.", "", "@'Kim B.'"), ("O'Neill", "", nil),
        ("#room", "", nil), ("@x", "", nil), (" a", "", nil), ("", "", nil), ("a\nb", "", nil),
        ("Ольга", "\n", "@Ольга"),
    ])
    func `a mention ends where its name does`(_ name: String, _ rest: String, _ expected: String?) {
        let mention = SessionMention(name, before: rest[...])
        #expect(mention.map { $0.text + rest.filter { !$0.isWhitespace } } == expected)
        guard let mention else { return }
        let parts = FormattedText(mention.text + rest).parts
        #expect(parts.first?.format == .mention(name))
    }

    @Test(arguments: [
        ("image/jpeg", nil, "image.jpg"), ("video/mp4; codecs=avc1", nil, "video.mp4"),
        ("application/x-unknown", nil, "file"), (nil, nil, "file"), ("image/png", "own.name", "own.name"),
        ("image/svg+xml", nil, "file"),
    ])
    func `a file without a name gets one by its type`(_ type: String?, _ name: String?, _ expected: String)
        throws
    {
        let attachment = SessionAttachment(
            fileName: name, contentType: type, size: 1, width: nil, height: nil, duration: nil, caption: nil,
            role: .attachment, place: .absent("pending"))
        let message = SessionMessage(
            id: "m", row: 1, conversation: "c", author: nil, isSent: false, content: .message, body: nil,
            sentAt: nil, receivedAt: nil, serverTime: nil, identity: nil, isUnread: nil,
            delivery: nil, expiry: nil, quote: nil, reactions: [], linkPreviews: [],
            attachments: [attachment],
            problems: [], document: nil)
        #expect(SessionAttachmentFile.file(attachment, 0, of: message).name == expected)
    }
}
