import FaultInjection
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Accounts of Desktop, as their profiles are.
struct DesktopStoreTests {
    private let folder: TemporaryFolder
    private var profile: FilePath { folder.appending("profile") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    static let story = Story(seed: 24, messages: 420)

    private func open(_ password: String? = nil) throws -> DesktopStore {
        let profile = try DesktopProfile(profile)
        guard let password else { return try profile.open(password: nil, workFolder: folder.path) }
        return try profile.open(password: StoreVectors.secret(password), workFolder: folder.path)
    }

    private func kind(_ password: String? = nil) -> SessionStoreError.Kind? {
        let error = #expect(throws: SessionStoreError.self) { try open(password) }
        return error?.kind
    }

    // MARK: Whole accounts

    @Test func `all of an account is read, with the key in its configuration`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let store = try open()
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        #expect(store.warnings == [])
        #expect(store.schema.version == 54)
        #expect(store.schema.userVersion == 11)
    }

    @Test(arguments: ["a password & more", "cafe0123", "x'cafe'"])
    func `all of an account is read, with a password`(_ password: String) throws {
        try DesktopBuilder(lock: .password(password)).write(Self.story, to: profile)
        #expect(try DesktopProfile(profile).asksForPassword())
        try StoryExpectation(story: Self.story, program: .desktop).check(open(password))
        #expect(kind() == .noKey)
        #expect(kind("") == .noKey)
        #expect(kind(password + "!") == .wrongKey)
    }

    @Test func `a database of SQLCipher 3 is read as it is`() throws {
        try DesktopBuilder(isOlderCipher: true).write(Self.story, to: profile)
        let before = try TemporaryFolder.contents(of: profile)
        let store = try open()
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        #expect(store.warnings == [.olderCipher])
        #expect(try TemporaryFolder.contents(of: profile) == before)
    }

    @Test func `columns that an older schema lacks are found in the documents`() throws {
        try DesktopBuilder(version: 20, hasNewColumns: false).write(Self.story, to: profile)
        try StoryExpectation(story: Self.story, program: .desktop).check(open())
    }

    @Test func `contacts are those that Desktop calls private`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        var found: [SessionContact] = []
        try open().forEachContact(damaged: { Issue.record($0) }) { found.append($0) }
        #expect(found.count == Self.story.people.count + 2)
        for person in Self.story.people {
            let contact = try #require(found.first { $0.id == person.id })
            #expect(contact.name == person.name)
            #expect(contact.nickname == person.nickname)
            #expect(contact.isApproved == person.isApproved)
            #expect(contact.isBlocked == person.isBlocked)
            #expect(contact.didApprove == true)
        }
    }

    @Test(arguments: [0, 1, 7, 52, 10_000]) func `the newest messages are the last ones`(_ count: Int) throws
    {
        try DesktopBuilder().write(Self.story, to: profile)
        let chat = Self.story.chats[0].id
        let expected = Self.story.messages.filter { $0.chat == chat }.suffix(count).map(\.id)
        var found: [String] = []
        try open().forEachMessage(of: chat, newest: Int64(count), damaged: { Issue.record($0) }) {
            found.append($0.id)
        }
        #expect(found == expected)
    }

    @Test(
        arguments: [
            nil,
            """
            serverTimestamp = sent_at - 1000000000 WHERE sent_at =
                (SELECT max(sent_at) FROM messages m WHERE m.conversationId = messages.conversationId)
            """,
            "sent_at = NULL WHERE id IN ('message-3', 'message-24')",
        ] as [String?], [1, 9, 60])
    func `an index makes no other order of the newest, and no other counts`(_ change: String?, _ count: Int64)
        throws
    {
        var found: [[String]] = []
        var counts: [[SessionConversation]] = []
        let changes = change.map { ["UPDATE messages SET \($0)"] } ?? []
        let drops = ["DROP INDEX messages_conversation", "DROP INDEX messages_unread"]
        for statements in [changes, changes + drops] {
            let place = folder.appending("profile-\(statements.count)")
            try DesktopBuilder().write(Self.story, to: place)
            do {
                let connection = try Connection(
                    DesktopBuilder.database(place), mode: .readWrite,
                    passphrase: SecretBytes(copying: Array(DesktopBuilder().passphrase.utf8)))
                for statement in statements { try connection.execute(statement) }
            }
            let store = try DesktopProfile(place).open(password: nil, workFolder: folder.path)
            var ids: [String] = []
            for chat in Self.story.chats {
                try store.forEachMessage(of: chat.id, newest: count, damaged: { Issue.record($0) }) {
                    ids.append($0.id)
                }
            }
            found.append(ids)
            counts.append(try store.conversations { Issue.record($0) })
            let known = try store.conversations(counts: false) { Issue.record($0) }
            #expect(known.map(\.hasMessages) == counts.last?.map(\.hasMessages))
            #expect(known.map(\.id) == counts.last?.map(\.id))
        }
        #expect(found[0] == found[1])
        // By an index it is the time of the message that was sent first.
        if change == nil { #expect(counts[0] == counts[1]) }
    }

    @Test func `verified once, a profile is read as ever, and with a damaged page too`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let snapshot = try DesktopProfile(profile).snapshot(password: nil, workFolder: folder.path)
        var checked: Int64 = 0
        let verified = try snapshot.verified { checked = $0 }
        #expect(checked == snapshot.databaseSize)
        let store = try #require(try verified.open() as? DesktopStore)
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        #expect(try verified.verifyPages(progress: { _ in }) == [])
        #expect(try verified.derivedKey(label: "a").bytes.count == 32)
        #expect(try verified.derivedKey(label: "a").bytes.equals(snapshot.derivedKey(label: "a").bytes))
        #expect(try !verified.derivedKey(label: "a").bytes.equals(snapshot.derivedKey(label: "b").bytes))
        // The last page of the file.
        let file = DesktopBuilder.database(profile)
        var bytes = try FileSystem().contents(of: file, limit: 1 << 26)
        bytes[bytes.count - 100] ^= 1
        try TestFiles.write(bytes, to: file)
        let damaged = try DesktopProfile(profile).snapshot(password: nil, workFolder: folder.path)
        #expect(try damaged.verified { _ in }.verifyPages(progress: { _ in }).count == 1)
    }

    @Test func `a settled profile is read where it is, until a program changes it`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let place = try DesktopProfile(profile)
        #expect(try !place.isSettled())
        FileSystem.wait(.seconds(4.2))
        let snapshot = try #require(try place.settledSnapshot(password: nil))
        let store = try #require(try snapshot.open() as? DesktopStore)
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        #expect(try FileSystem().list(folder.path).count == 1)
        let database = DesktopBuilder.database(profile)
        let another = try snapshot.open()
        let connection = try Connection(
            database, mode: .readWrite,
            passphrase: SecretBytes(copying: Array(DesktopBuilder().passphrase.utf8)))
        try connection.run("UPDATE messages SET body = 'x'")
        _ = try connection.value("PRAGMA wal_checkpoint(TRUNCATE)")
        let error = #expect(throws: SessionStoreError.self) {
            for chat in Self.story.chats {
                try another.forEachMessage(of: chat.id, newest: nil, damaged: { throw $0 }, { _ in })
            }
        }
        #expect(error?.kind == .inUse)
        #expect(try !place.isSettled())
    }

    @Test func `records, dumps and the key of attachments are given`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let store = try open()
        var seen: [String] = []
        try store.forEachSeenMessage(damaged: { Issue.record($0) }) { record in
            #expect(record.conversation != nil && record.expiresAt != nil)
            seen.append(record.identifier)
        }
        #expect(Set(seen) == Set(Self.story.messages.compactMap(\.hash)))
        var dumps: [String] = []
        try store.forEachConfigDump { dump, bytes in
            #expect(dump.owner == Self.story.ownID)
            #expect(Array(bytes) == Array("d1:!0:e".utf8))
            dumps.append(dump.variant)
        }
        #expect(dumps == ["ContactsConfig", "UserConfig"])
        let key = try #require(try store.attachmentKey())
        let expected = try SecretSeed(
            copying: [UInt8](repeating: 0, count: 8).flatMap { _ in [0xa1, 0xb2, 0xc3, 0xd4] as [UInt8] })
        #expect(key.equals(expected))
    }

    @Test func `files of attachments are where the rows say`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let store = try open()
        var count = 0
        for chat in Self.story.chats {
            try store.forEachMessage(of: chat.id, newest: nil, damaged: { Issue.record($0) }) { message in
                for attachment in message.attachments where attachment.file != nil {
                    // The builder puts a header before each.
                    let size = try store.content(of: attachment).size
                    #expect(size == (attachment.size ?? 0) + 24)
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }

    @Test func `attachments that are gone, not received or elsewhere are told when they are asked for`()
        throws
    {
        try DesktopBuilder().write(Self.story, to: profile)
        try FileSystem().removeTree(DesktopBuilder.attachments(profile))
        let store = try open()
        try StoryExpectation(story: Self.story, program: .desktop).check(store)
        let message = try #require(Self.story.messages.first { $0.kind == .picture })
        var found: [SessionAttachment] = []
        try store.forEachMessage(of: message.chat, newest: nil, damaged: { Issue.record($0) }) {
            if $0.id == message.id { found += $0.attachments }
        }
        let gone = #expect(throws: SessionStoreError.self) { try store.content(of: found[0]).size }
        #expect(gone?.kind == .missing)
        // A link in place of a file is not followed.
        try TestFiles.write([1], to: folder.appending("secret"))
        let place = store.attachments.pushing(try #require(found[0].file))
        try FileSystem().makeDirectories(place.removingLastComponent())
        try FileSystem().makeSymbolicLink(place, to: folder.appending("secret").string)
        #expect(throws: FileError.self) { try store.content(of: found[0]).size }
    }

    // MARK: Keys

    @Test func `a key that does not open the database, and a lost one, are told apart`() throws {
        try DesktopBuilder().write(Self.story, to: profile)
        let configuration = profile.appending("config.json")
        try TestFiles.write("{\"key\": \"\(String(repeating: "00", count: 32))\"}", to: configuration)
        #expect(kind() == .wrongKey)
        try TestFiles.write("{}", to: configuration)
        #expect(kind() == .noKey)
        try FileSystem().remove(configuration)
        #expect(kind() == .missing)
        // Who knows the key as digits can give it as a password.
        try StoryExpectation(story: Self.story, program: .desktop).check(open(DesktopBuilder.key))
    }

    @Test func `a folder without a database is no profile`() throws {
        try DesktopBuilder().writeConfiguration(profile)
        let error = #expect(throws: SessionStoreError.self) { try DesktopProfile(profile) }
        #expect(error?.kind == .missing)
    }

    // MARK: Other programs

    @Test(.enabled(if: OtherProgram.isThere("sqlcipher")), arguments: [false, true])
    func `sqlcipher accepts what is written here`(_ isOlder: Bool) throws {
        try DesktopBuilder(isOlderCipher: isOlder).write(Self.story, to: profile)
        let program = try #require(OtherProgram("sqlcipher"))
        let path = DesktopBuilder.database(profile).string
        let outcome = try program.run(
            [path],
            input: """
                PRAGMA key = "x'\(DesktopBuilder.key)'";
                \(isOlder ? "PRAGMA cipher_compatibility = 3;" : "")
                SELECT count(*) FROM messages;
                SELECT 'log', * FROM pragma_journal_mode;
                PRAGMA cipher_integrity_check;
                PRAGMA integrity_check;
                """)
        #expect(outcome.output.split(separator: "\n").map(String.init) == ["ok", "420", "log|wal", "ok"])
    }

    @Test func `twenty thousand messages are read in order`() throws {
        let count = FaultSweep.isIntact ? 20_000 : 2000
        let story = Story(seed: 5, messages: count)
        try DesktopBuilder().write(story, to: profile)
        try StoryExpectation(story: story, program: .desktop).check(open())
    }
}
