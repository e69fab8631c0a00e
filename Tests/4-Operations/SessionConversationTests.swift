import FaultInjection
import SessionBuilders
import Synchronization
import SystemPackage
import Testing
import ValiseChatLog
import ValiseDatabase
import ValiseSecrets
import ValiseSessionStore

@testable import Valise

/// The profile of Session Desktop in the place of an account.
struct SessionConversationTests {
    private let folder: TemporaryFolder
    private let notes = Notes()
    private static let story = Story(seed: 21, messages: 420)

    private var profile: FilePath { folder.appending("profile") }

    init() throws { folder = try TemporaryFolder("valise-operations", inMemory: true) }

    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private func context(_ questions: (any Questions)? = nil) -> OperationContext {
        OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: questions,
            events: { [notes] in if case .note(let note) = $0 { notes.add(note.text) } })
    }

    private func write(_ lock: DesktopBuilder.Lock = .key) throws {
        var builder = DesktopBuilder(lock: lock)
        builder.seal = DesktopBuilder.encryption
        try builder.write(Self.story, to: profile)
    }

    private static var expired: Int { story.messages.count { $0.kind == .expired } }

    @Test func `chats are listed, and nothing in the profile changes`() async throws {
        try write()
        let before = try TemporaryFolder.contents(of: profile)
        let list = try await ListConversations(ConversationInput(profile)).run(in: context())
        #expect(
            Set(list.conversations.map(\.key)).isSuperset(
                of: Self.story.chats.filter { $0.kind != .community }.map { "chat-\($0.id)" }))
        #expect(!list.hasEntryErrors)
        #expect(try TemporaryFolder.contents(of: profile) == before)
    }

    @Test func `messages are found, and the number of expired ones is told`() async throws {
        try write()
        let query = try #require(TextQuery("Message 3"))
        let found = Mutex<[String]>([])
        let report = try await SearchConversations(query, in: ConversationInput(profile)) { _, item in
            found.withLock { $0.append(item.text) }
        }.run(in: context())
        #expect(report.hits == found.withLock(\.count) && report.hits > 0)
        #expect(found.withLock { $0.contains("Message 3") })
        #expect(notes.all == ["left out \(Self.expired) expired messages"])
    }

    @Test func `with expired messages there is no note`() async throws {
        try write()
        var input = ConversationInput(profile)
        input.includesExpired = true
        let statistics = try await SummarizeConversations(input).run(in: context())
        // Albums have three files, each an item.
        let albums = Int64(Self.story.messages.count { $0.kind == .album })
        #expect(statistics.all.messages == Int64(Self.story.messages.count) + 2 * albums)
        #expect(notes.all == [])
    }

    @Test func `an export has all messages and files, and an update adds none`() async throws {
        try write()
        var input = ConversationInput(profile)
        input.includesExpired = true
        var export = ExportConversations(input, to: folder.appending("out"))
        export.formats = ViewFormat.allCases
        let report = try await export.run(in: context())
        #expect(report.damaged == [] && report.problems.isEmpty)
        let files = Self.story.messages.flatMap(\.shownFiles)
        #expect(report.copied + report.duplicates == files.count(where: \.isThere))
        export.updates = true
        let again = try await export.run(in: context())
        #expect((again.added, again.gone, again.copied) == (0, 0, 0))
        #expect(again.items == report.items)
    }

    @Test func `an export without files is written too`() async throws {
        try write()
        var export = ExportConversations(ConversationInput(profile), to: folder.appending("out"))
        export.media = nil
        let report = try await export.run(in: context())
        #expect(report.items > 300 && report.copied == 0)
    }

    @Test func `one of the chats is shown by its key`() async throws {
        try write()
        var input = ConversationInput(profile)
        input.selectors = ["chat-\(Self.story.chats[0].id)"]
        let texts = Mutex<[String]>([])
        _ = try await ReadConversation(input, newest: 3, begin: { _ in }) { item in
            texts.withLock { $0.append(item.text) }
        }.run(in: context())
        #expect(texts.withLock(\.count) == 3)
    }

    // MARK: Passwords

    private struct Answer: Questions {
        let password: String?

        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
            try password.map { SharedSecret(try SecretBytes(copying: Array($0.utf8))) }
        }

        func answer(_ question: Question) async throws -> Bool? { nil }
    }

    @Test func `a password is asked for, and a wrong one is told`() async throws {
        try write(.password("a long password"))
        let operation = ListConversations(ConversationInput(profile))
        let list = try await operation.run(in: context(Answer(password: "a long password")))
        #expect(list.conversations.count >= Self.story.chats.count)
        for password in ["another password", nil] {
            let error = await #expect(throws: (any Error).self) {
                try await operation.run(in: context(Answer(password: password)))
            }
            let code = (error as? any Failure)?.code
            #expect(code == (password == nil ? .invalid : .wrongPassphrase))
        }
    }

    // MARK: Searching

    private func hits(_ text: String, usesIndex: Bool) async throws -> [String] {
        let found = Mutex<[String]>([])
        let query = try #require(TextQuery(text))
        _ = try await SearchConversations(query, in: ConversationInput(profile), usesIndex: usesIndex) {
            conversation, item in
            found.withLock { $0.append("\(conversation.key) \(item.key) \(item.text)") }
        }.run(in: context())
        return found.withLock { $0 }
    }

    @Test func `an index of a profile finds what is found without, also after the profile changed`()
        async throws
    {
        try write()
        for text in ["message", "\"message 3\"", "voice", "screenshot -message", "zzzzzz"] {
            #expect(try await hits(text, usesIndex: true) == hits(text, usesIndex: false), "\(text)")
        }
        #expect(notes.all.count { $0 == "made a search index of this account" } == 1)
        let body = "a new heron \u{1F426}"
        let connection = try Connection(
            DesktopBuilder.database(profile), mode: .readWrite,
            passphrase: SecretBytes(copying: Array(DesktopBuilder().passphrase.utf8)))
        try connection.run("UPDATE messages SET body = ? WHERE id = 'message-0'", [.text(body)])
        try connection.run("DELETE FROM messages WHERE id = 'message-1'")
        for text in ["heron", "\"message 1\"", "message"] {
            #expect(try await hits(text, usesIndex: true) == hits(text, usesIndex: false), "\(text)")
        }
        #expect(try await hits("heron", usesIndex: true).contains { $0.hasSuffix(body) })
        let removal = RemoveSearchIndex(ConversationInput(profile))
        #expect(try await removal.run(in: context()).found)
        #expect(try await !removal.run(in: context()).found)
    }

    // MARK: In place

    @Test func `a profile that nobody uses is read where it is, and the same is read`() async throws {
        try write()
        let list = ListConversations(ConversationInput(profile))
        let copied = try await list.run(in: context()).conversations.map(\.items)
        try await Task.sleep(for: .seconds(4.2))
        let before = try TemporaryFolder.contents(of: profile)
        #expect(try DesktopProfile(profile).isSettled())
        #expect(try await list.run(in: context()).conversations.map(\.items) == copied)
        #expect(try TemporaryFolder.contents(of: profile) == before)
    }
}
