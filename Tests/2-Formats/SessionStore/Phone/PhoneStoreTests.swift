import FaultInjection
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Accounts of Session iOS, from folders and from backups.
struct PhoneStoreTests {
    private let folder: TemporaryFolder
    private var container: FilePath { folder.appending("container") }
    private static let story = Story(seed: 42, messages: 420)

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func key() throws -> PhoneKey { try PhoneKey(SecretBytes(copying: PhoneBuilder.key)) }

    private func open(_ place: FilePath? = nil) throws -> PhoneStore {
        try PhoneContainer(place ?? container).open(key: key(), workFolder: folder.path)
    }

    private func expect(_ store: PhoneStore, _ story: Story = story) throws {
        try StoryExpectation(story: story, program: .phone).check(store)
    }

    @Test func `of what was looked up of an address, the nearest in time is taken`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let message = try #require(Self.story.messages.first { $0.kind == .link })
        let second = message.sentAt / 1000
        do {
            let connection = try Connection(
                PhoneBuilder.database(container), mode: .readWrite,
                passphrase: SecretBytes(copying: Array("x'\(Hexadecimal.encode(PhoneBuilder.key))'".utf8)),
                cipher: ["cipher_plaintext_header_size = 32"])
            try connection.run(
                "UPDATE interaction SET linkPreviewUrl = 'https://a' WHERE linkPreviewUrl NOT NULL")
            for (time, title) in [
                (second - 400, "old"), (second - 9, "before"), (second + 8, "after"), (second + 999, "new"),
            ] {
                try connection.run(
                    "INSERT INTO linkPreview (url, timestamp, variant, title) VALUES ('https://a', ?, 0, ?)",
                    [.integer(time), .text(title)])
            }
        }
        var titles: [String?] = []
        try open().forEachMessage(of: message.chat, newest: nil, damaged: { Issue.record($0) }) {
            if $0.sentAt == UTCTime(milliseconds: message.sentAt) { titles += $0.linkPreviews.map(\.title) }
        }
        #expect(titles == ["after"])
    }

    @Test func `indexes make no other counts`() throws {
        var counts: [[SessionConversation]] = []
        for drops in [[], ["DROP INDEX interaction_thread", "DROP INDEX interaction_wasRead"]] {
            let place = folder.appending("container-\(drops.count)")
            try PhoneBuilder().write(Self.story, to: place)
            do {
                let connection = try Connection(
                    PhoneBuilder.database(place), mode: .readWrite,
                    passphrase: SecretBytes(
                        copying: Array("x'\(Hexadecimal.encode(PhoneBuilder.key))'".utf8)),
                    cipher: ["cipher_plaintext_header_size = 32"])
                for statement in drops { try connection.execute(statement) }
            }
            counts.append(try open(place).conversations { Issue.record($0) })
            let known = try open(place).conversations(counts: false) { Issue.record($0) }
            #expect(known.map(\.lastActive) == counts.last?.map(\.lastActive))
            #expect(known.map(\.hasMessages) == counts.last?.map(\.hasMessages))
        }
        #expect(counts[0] == counts[1])
    }

    @Test func `verified once, a folder and a backup are read as ever`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let snapshot = try PhoneContainer(container).snapshot(key: key(), workFolder: folder.path)
        try expect(try #require(try snapshot.verified { _ in }.open() as? PhoneStore))
        #expect(
            try snapshot.verified { _ in }.derivedKey(label: "a").bytes.equals(
                snapshot.derivedKey(label: "a").bytes))
    }

    @Test func `all of an account is read where it is`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let before = try TemporaryFolder.contents(of: container)
        let store = try open()
        try expect(store)
        #expect(store.warnings == [])
        #expect(store.schema.migrations.count == 47)
        #expect(store.attachmentKey() == nil)
        #expect(try FileSystem().list(folder.path).compactMap(\.name) == ["container"])
        #expect(try TemporaryFolder.contents(of: container) == before)
    }

    @Test func `what waits in the log is read from a private copy`() throws {
        let copy = folder.appending("copy")
        do {
            let connection = try PhoneBuilder().open(container, Self.story)
            try TemporaryFolder.copyTree(container, to: copy)
            try connection.execute("DELETE FROM interaction")
        }
        try FileSystem().remove(PhoneBuilder.database(copy).appendingSuffix("-shm"))
        let before = try TemporaryFolder.contents(of: copy)
        try expect(open(copy))
        #expect(try TemporaryFolder.contents(of: copy) == before)
    }

    @Test func `the account in a backup is read without extracting it, and after`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let password = try StoreVectors.secret(BackupBuilder.password)
        let backup = try SessionBackup(
            BytesSource(BackupBuilder(packing: container).bytes()), password: password)
        let store = try backup.open(password: password)
        try expect(store)
        let message = try #require(Self.story.messages.first { $0.kind == .picture })
        let found = try messages(store, of: message.chat).found.first { $0.row == Int64(message.number) + 1 }
        let attachment = try #require(found?.attachments.first)
        let content = try store.content(of: attachment).bytes(at: 0, upTo: 1000)
        #expect(content == message.files[0].content)
        _ = try backup.extract(into: folder.appending("out"))
        let extracted = try PhoneContainer(folder.appending("out"))
        try expect(
            extracted.open(key: backup.verifiedKey(password: password), workFolder: folder.path))
    }

    @Test func `contacts come with their profiles, and profiles of others behind them`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        var found: [SessionContact] = []
        try open().forEachContact(damaged: { Issue.record($0) }) { found.append($0) }
        #expect(found.count == Self.story.people.count + 2)
        for person in Self.story.people {
            let contact = try #require(found.first { $0.id == person.id })
            #expect((contact.name, contact.nickname) == (person.name, person.nickname))
            #expect((contact.isApproved, contact.isBlocked) == (person.isApproved, person.isBlocked))
        }
        #expect(found.last?.isApproved == nil)
    }

    @Test func `records of received messages outlive them by the rules of the app`() throws {
        try PhoneBuilder(more: [
            "INSERT INTO messageDeduplication VALUES ('05aa', 'LegacyRecord-1-1700000000000', NULL, 1)"
        ]).write(Self.story, to: container)
        var seen: [String: SessionSeenMessage] = [:]
        try open().forEachSeenMessage(damaged: { Issue.record($0) }) { seen[$0.identifier] = $0 }
        for message in Self.story.messages {
            let identifier = message.hash ?? message.communityNumber.map { String($0) } ?? ""
            let removed = seen.removeValue(forKey: identifier)
            let record = try #require(removed)
            #expect(record.conversation == message.chat)
            #expect(record.expiresAt?.seconds == message.sentAt / 1000 + 120)
            #expect(record.goesWithConversation == (message.hash == nil))
        }
        #expect(seen.keys.sorted() == ["LegacyRecord-1-1700000000000"])
        #expect(seen.values.first?.expiresAt == nil)
    }

    @Test func `dumps have their times`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        var dumps: [String] = []
        try open().forEachConfigDump { dump, bytes in
            #expect(dump.timestamp == Story.start)
            #expect(bytes.count == 7)
            dumps.append(dump.variant)
        }
        #expect(dumps == ["contacts", "userProfile"])
    }

    @Test func `files of attachments are where the rows say`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let store = try open()
        var count = 0
        for chat in Self.story.chats {
            try store.forEachMessage(of: chat.id, newest: nil, damaged: { Issue.record($0) }) { message in
                for attachment in message.attachments where attachment.file != nil {
                    let size = try store.content(of: attachment).size
                    #expect(size == attachment.size)
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }

    /// Python's hashlib says what the name of a file is.
    @Test(
        .enabled(if: OtherProgram.python(with: "hashlib") != nil),
        arguments: [
            "http://filev2.example/file/123", "http://filev2.example/file/123?x=1",
            "http://filev2.example/file/123#p=ab?",
        ]) func `the name of a file is the digest of its address without what follows it`(_ address: String)
        throws
    {
        let python = try #require(OtherProgram.python(with: "hashlib"))
        let program =
            "import hashlib; print(hashlib.blake2b(b'http://filev2.example/file/123', digest_size=32).hexdigest())"
        let expected = try python.run(["-c", program]).output.filter { $0 != "\n" }
        #expect(PhoneAttachmentRow.name(ofAddress: address) == expected)
    }

    // MARK: Keys and schemas

    @Test func `another key and another salt open nothing`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        for place in [0, 31, 32, 47] {
            var bytes = PhoneBuilder.key
            bytes[place] ^= 1
            let other = try PhoneKey(SecretBytes(copying: bytes))
            let error = #expect(throws: SessionStoreError.self) {
                try PhoneContainer(container).open(key: other, workFolder: folder.path)
            }
            #expect(error?.kind == .wrongKey, "\(place)")
        }
    }

    @Test func `a folder without a database is none of the app's`() throws {
        let error = #expect(throws: SessionStoreError.self) { try PhoneContainer(folder.path) }
        #expect(error?.kind == .missing)
    }

    @Test func `more migrations than are known are a warning`() throws {
        try PhoneBuilder(migrations: 52).write(Self.story, to: container)
        let store = try open()
        #expect(store.warnings == [.newerSchema(found: 52, known: 47)])
        try expect(store)
    }

    @Test func `a database of threads and interactions alone gives these`() throws {
        try PhoneBuilder(hasAllTables: false).write(Self.story, to: container)
        let store = try open()
        #expect(store.warnings == [.missingTables(["attachment", "profile", "contact", "configDump"])])
        #expect(store.ownID == nil)
        let conversations = try store.conversations { Issue.record($0) }
        #expect(conversations.allSatisfy { $0.name == nil && $0.title == $0.id })
        var count = 0
        for conversation in conversations {
            try store.forEachMessage(of: conversation.id, newest: nil, damaged: { Issue.record($0) }) {
                message in
                #expect(message.attachments.isEmpty)
                count += 1
            }
        }
        #expect(count == 420)
        try store.forEachContact(damaged: { Issue.record($0) }) { _ in Issue.record("none is there") }
        try store.forEachSeenMessage(damaged: { Issue.record($0) }) { _ in Issue.record("none is there") }
    }

    @Test func `an interaction without a column of all versions is refused by the version`() throws {
        for (migrations, kind) in [(47, SessionStoreError.Kind.unsupported), (48, .newer)] {
            do {
                let connection = try PhoneBuilder(migrations: migrations).open(container, Self.story)
                try connection.execute("ALTER TABLE interaction RENAME COLUMN authorId TO writer")
            }
            let error = #expect(throws: SessionStoreError.self) { try open() }
            #expect(error?.kind == kind)
            try FileSystem().removeTree(container)
        }
    }

    // MARK: Rows

    private func changed(_ statements: String...) throws -> PhoneStore {
        do {
            let connection = try PhoneBuilder().open(container, Self.story)
            for statement in statements { try connection.execute(statement) }
        }
        return try open()
    }

    private func messages(
        _ store: PhoneStore, of chat: String
    ) throws -> (found: [SessionMessage], damaged: [SessionStoreError]) {
        var found: [SessionMessage] = []
        var damaged: [SessionStoreError] = []
        try store.forEachMessage(of: chat, newest: nil, damaged: { damaged.append($0) }) { found.append($0) }
        return (found, damaged)
    }

    @Test(arguments: [
        (0, "failed download"), (1, "pending download"), (2, "downloading"), (100, "invalid"),
        (55, "invalid"), (-1, "invalid"),
    ]) func `the state of an attachment that is not there is told`(_ state: Int, _ text: String) throws {
        let store = try changed("UPDATE attachment SET state = \(state)")
        let message = try #require(Self.story.messages.first { $0.kind == .picture })
        let found = try #require(
            try messages(store, of: message.chat).found.first { $0.row == Int64(message.number) + 1 })
        #expect(found.attachments.map(\.place) == [.absent(text)])
    }

    @Test func `what was never sent, and what old versions named, has its place`() throws {
        let store = try changed(
            "ALTER TABLE attachment ADD COLUMN localRelativeFilePath TEXT",
            "UPDATE attachment SET state = 4 WHERE variant = 0 AND contentType = 'image/jpeg'",
            "UPDATE attachment SET localRelativeFilePath = '../../evil' WHERE variant = 1",
            "UPDATE attachment SET localRelativeFilePath = 'abc/def.png' WHERE contentType = 'image/png'")
        for kind in [StoryMessage.Kind.picture, .voice, .album] {
            let message = try #require(Self.story.messages.first { $0.kind == kind })
            let found = try #require(
                try messages(store, of: message.chat).found.first { $0.row == Int64(message.number) + 1 })
            let places = found.attachments.map(\.place)
            switch kind {
            case .picture:
                #expect(places == [.file(FilePath("uploadPlaceholderUrl/\(message.id)-0"), .unencrypted)])
            case .voice: #expect(places == [.unsafe("../../evil")])
            default:
                #expect(
                    places
                        == [SessionAttachment.Place](repeating: .file("abc/def.png", .unencrypted), count: 3))
            }
        }
    }

    @Test func `values of another kind are named, and other rows are read`() throws {
        let chat = Self.story.chats[0].id
        let store = try changed(
            "UPDATE interaction SET expiresInSeconds = 'long', wasRead = 'x' WHERE id = 1",
            "UPDATE interaction SET variant = 'strange' WHERE id = 9",
            "UPDATE reaction SET emoji = emoji, count = 'many'")
        let (found, damaged) = try messages(store, of: chat)
        #expect(damaged.map(\.kind) == [.damaged])
        #expect(damaged.first?.message.contains("row 9") == true)
        #expect(found.first?.problems == ["wasRead is no number", "expiresInSeconds is no number"])
        #expect(found.first?.body == "Message 0")
        #expect(found.first?.isUnread == nil)
        #expect(found.count == Self.story.messages.count { $0.chat == chat } - 1)
    }

    @Test func `times and counts at the ends of their range do no harm`() throws {
        let end = Int64.max
        let store = try changed(
            "UPDATE interaction SET timestampMs = \(end), expiresInSeconds = \(end), expiresStartedAtMs = \(end) WHERE id = 1",
            "UPDATE interaction SET timestampMs = \(-end) - 1, receivedAtTimestampMs = -1.5e300 WHERE id = 9",
            "UPDATE messageDeduplication SET expirationTimestampSeconds = \(-end) - 1",
            "UPDATE thread SET creationDateTimestamp = 1e300",
            "UPDATE reaction SET count = \(end)", "DELETE FROM interaction WHERE threadId LIKE 'https%'")
        for chat in Self.story.chats {
            for message in try messages(store, of: chat.id).found {
                #expect(message.time?.text != "")
                #expect(message.expiry?.expiresAt?.text != "")
            }
        }
        var damaged = 0
        try store.forEachSeenMessage(damaged: { _ in damaged += 1 }) { _ in Issue.record("none is right") }
        #expect(damaged > 300)
        #expect(try store.conversations { Issue.record($0) }.count == Self.story.chats.count)
    }

    @Test func `an unknown kind of interaction is an event, and no message`() throws {
        let store = try changed("UPDATE interaction SET variant = 6000 WHERE id = 1")
        #expect(
            try messages(store, of: Self.story.chats[0].id).found.first?.content == .event("variant 6000"))
    }

    @Test(.enabled(if: OtherProgram.isThere("sqlcipher")))
    func `sqlcipher accepts what is written here`() throws {
        try PhoneBuilder().write(Self.story, to: container)
        let path = PhoneBuilder.database(container)
        #expect(
            try FileSystem().openForReading(path).bytes(at: 0, count: 15) == Array("SQLite format 3".utf8))
        let outcome = try #require(OtherProgram("sqlcipher")).run(
            [path.string],
            input: """
                PRAGMA key = "x'\(Hexadecimal.encode(PhoneBuilder.key))'";
                PRAGMA cipher_plaintext_header_size = 32;
                SELECT count(*) FROM interaction;
                PRAGMA cipher_integrity_check;
                PRAGMA integrity_check;
                """)
        #expect(outcome.output.split(separator: "\n").map(String.init) == ["ok", "420", "ok"])
    }

    @Test func `twenty thousand interactions are read in order`() throws {
        let count = FaultSweep.isIntact ? 20_000 : 2000
        let story = Story(seed: 6, messages: count)
        try PhoneBuilder().write(story, to: container)
        try expect(open(), story)
    }
}
