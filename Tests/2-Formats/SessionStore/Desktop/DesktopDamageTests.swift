import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles

@testable import ValiseSessionStore

/// Profiles that are damaged, newer, or made to do harm.
struct DesktopDamageTests {
    private let folder: TemporaryFolder
    private var profile: FilePath { folder.appending("profile") }
    private static let story = Story(seed: 3, messages: 40)
    private static var chat: String { story.chats[0].id }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func store(_ statements: [String] = [], _ change: (inout DesktopBuilder) -> Void = { _ in })
        throws
        -> DesktopStore
    {
        // Statements run before the rows come: a trigger changes them when they do.
        var builder = DesktopBuilder()
        change(&builder)
        try builder.writeConfiguration(profile)
        do {
            let connection = try builder.open(profile, Self.story)
            for statement in statements { try connection.execute(statement) }
        }
        return try DesktopProfile(profile).open(password: nil, workFolder: folder.path)
    }

    private func messages(_ store: DesktopStore) throws -> (
        found: [SessionMessage], damaged: [SessionStoreError]
    ) {
        var found: [SessionMessage] = []
        var damaged: [SessionStoreError] = []
        try store.forEachMessage(of: Self.chat, newest: nil, damaged: { damaged.append($0) }) {
            found.append($0)
        }
        return (found, damaged)
    }

    /// The first message of the first chat.
    private static let first = "id = 'message-0'"

    // MARK: Documents

    @Test(arguments: ["NULL", "''", "'{'", "'[]'", "'null'", "x'ff00'"])
    func `a document that cannot be read leaves what columns have`(_ document: String) throws {
        let store = try store(["UPDATE messages SET json = \(document) WHERE \(Self.first)"])
        let (found, damaged) = try messages(store)
        #expect(damaged.isEmpty)
        #expect(found.count == 5)
        #expect(found[0].content == .unreadable)
        #expect(found[0].body == "Message 0")
        #expect(found[0].author == Self.story.messages[0].author)
        #expect(found[0].problems.count == 1)
        #expect(found[1].problems == [])
    }

    @Test func `fields of another kind are named, and nothing stands in for them`() throws {
        let document = """
            {"type":"incoming","body":7,"sent_at":"soon","received_at":true,"quote":[],"attachments":{"a":1},
            "preview":[1,{"url":2},{"url":"https://example.org","image":3}],"reacts":{"x":1,"y":{"senders":[1,"05aa"]}},
            "expireTimer":1.5,"errors":[],"isDeleted":"yes"}
            """
        let store = try store([
            "UPDATE messages SET json = '\(document)', body = NULL, sent_at = NULL, received_at = NULL, expireTimer = NULL WHERE \(Self.first)"
        ])
        let found = try messages(store).found[0]
        #expect(found.content == .message)
        #expect(found.body == nil)
        #expect(found.sentAt == nil)
        #expect(found.quote == nil)
        #expect(found.expiry == nil)
        #expect(found.linkPreviews.map(\.address) == ["https://example.org"])
        #expect(found.reactions == [SessionReaction(emoji: "y", authors: ["05aa"], count: 1)])
        for part in [
            "body", "sent_at", "received_at", "quote", "attachments", "preview[0]", "preview[1].url",
            "reacts.x",
            "reacts.y.senders", "expireTimer", "isDeleted", "preview[2].image",
        ] {
            #expect(found.problems.contains { $0.hasPrefix(part) }, "\(part): \(found.problems)")
        }
    }

    @Test func `a column that differs from its document is named`() throws {
        let store = try store([
            "UPDATE messages SET body = 'another', sent_at = 5, source = '05ff' WHERE \(Self.first)"
        ])
        let found = try messages(store).found[0]
        #expect(found.body == "another")
        #expect(found.author == "05ff")
        #expect(
            Set(found.problems)
                == Set(["body", "source", "sent_at"].map { "\($0) differs between column and document" }))
    }

    @Test(arguments: [
        "../../etc/passwd", "/etc/passwd", "a/../../b", "..\\\\..\\\\b", "a//b", "a/b/c/d/e", "a\\u0000b",
        ".",
    ]) func `a path that leaves the folder of attachments is not followed`(_ path: String) throws {
        let document = "{\"type\":\"incoming\",\"attachments\":[{\"path\":\"\(path)\",\"size\":3}]}"
        let store = try store(["UPDATE messages SET json = '\(document)' WHERE \(Self.first)"])
        let attachment = try #require(try messages(store).found[0].attachments.first)
        #expect(attachment.file == nil)
        guard case .unsafe = attachment.place else {
            Issue.record("\(attachment.place)")
            return
        }
    }

    @Test func `paths of Windows are understood`() throws {
        let document = "{\"type\":\"incoming\",\"attachments\":[{\"path\":\"ab\\\\abcd\"}]}"
        let store = try store(["UPDATE messages SET json = '\(document)' WHERE \(Self.first)"])
        #expect(try messages(store).found[0].attachments.first?.file == "ab/abcd")
    }

    @Test func `messages without a conversation are not lost`() throws {
        let store = try store(["DELETE FROM conversations WHERE id = '\(Self.chat)'"])
        let conversation = try #require(
            try store.conversations { Issue.record($0) }.first { $0.id == Self.chat })
        #expect(conversation.kind == .other)
        #expect(conversation.messages == 5)
        #expect(try messages(store).found.count == 5)
    }

    @Test func `a damaged conversation is told, and the others are read`() throws {
        let store = try store([
            "UPDATE conversations SET members = '{', priority = 'high' WHERE id = '\(Self.chat)'"
        ])
        var damaged: [SessionStoreError] = []
        let found = try store.conversations { damaged.append($0) }
        #expect(damaged.map(\.kind) == [.damaged])
        #expect(damaged.first?.subject == Self.chat)
        #expect(found.contains { $0.id == Self.story.chats[1].id })
        // Its messages can be read.
        #expect(try messages(store).found.count == 5)
    }

    // MARK: Schemas

    @Test func `a newer schema is read with a warning`() throws {
        let newer = try store { $0.version = 60 }
        #expect(newer.warnings == [.newerSchema(found: 60, known: 54)])
        #expect(try messages(newer).found.count == 5)
    }

    @Test func `a newer line of SQLite's own number is a warning too`() throws {
        #expect(try store { $0.userVersion = 12 }.warnings == [.newerSchema(found: 12, known: 11)])
    }

    @Test func `unknown tables and missing ones are named`() throws {
        let store = try store([
            "CREATE TABLE holograms (id TEXT)", "CREATE VIRTUAL TABLE messages_fts USING fts5(body)",
            "DROP TABLE seenMessages", "DROP TABLE items", "DROP TABLE configDump",
        ])
        #expect(
            store.warnings == [
                .unknownTables(["holograms"]), .missingTables(["items", "configDump", "seenMessages"]),
            ])
        #expect(store.ownID == nil)
        #expect(try store.attachmentKey() == nil)
        try store.forEachSeenMessage(damaged: { Issue.record($0) }) { _ in Issue.record("none is there") }
        try store.forEachConfigDump { _, _ in Issue.record("none is there") }
        #expect(try messages(store).found.count == 5)
    }

    @Test(arguments: [(54, SessionStoreError.Kind.unsupported), (99, .newer)])
    func `without what all versions have, it depends on the version`(
        _ version: Int, _ kind: SessionStoreError.Kind
    ) throws {
        let error = #expect(throws: SessionStoreError.self) {
            try store(["ALTER TABLE messages RENAME COLUMN conversationId TO room"]) {
                $0.version = Int64(version)
            }
        }
        #expect(error?.kind == kind)
    }

    @Test func `a view in place of a table is not run`() throws {
        let error = #expect(throws: SessionStoreError.self) {
            try store([
                "ALTER TABLE messages RENAME TO hidden", "CREATE VIEW messages AS SELECT * FROM hidden",
            ])
        }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: ["'{'", "'{\"value\": \"abc\"}'", "NULL", "'{\"value\": 1}'"])
    func `a damaged key of attachments is told`(_ json: String) throws {
        let store = try store([
            "UPDATE items SET json = \(json) WHERE id = 'local_attachment_encrypted_key'"
        ])
        let error = #expect(throws: SessionStoreError.self) { try store.attachmentKey() }
        #expect(error?.kind == .damaged)
    }

    // MARK: Pages

    @Test func `damage of any page is an error, and never another content`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let path = DesktopBuilder.database(profile)
        let intact = try FileSystem().contents(of: path, limit: 1 << 24)
        let seed = UInt64.random(in: 0...999_999)
        print("damaged pages: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var failures = 0
        for _ in 0..<25 {
            var bytes = intact
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x20
            try TestFiles.write(bytes, to: path)
            do {
                let store = try DesktopProfile(profile).open(password: nil, workFolder: folder.path)
                try StoryExpectation(story: Self.story, program: .desktop).check(store)
            } catch let error as SessionStoreError {
                #expect([.damaged, .wrongKey].contains(error.kind), "\(error)")
                failures += 1
            }
        }
        #expect(failures > 0)
    }

    @Test(arguments: [0, 1, 100, 4096, 5000]) func `a database that is cut off is refused`(_ size: Int) throws
    {
        try DesktopBuilder().write(Self.story, to: profile)
        let path = DesktopBuilder.database(profile)
        let intact = try FileSystem().contents(of: path, limit: 1 << 24)
        try TestFiles.write(Array(intact.prefix(size)), to: path)
        #expect(throws: SessionStoreError.self) {
            let store = try DesktopProfile(profile).open(password: nil, workFolder: folder.path)
            _ = try messages(store)
        }
    }
}
