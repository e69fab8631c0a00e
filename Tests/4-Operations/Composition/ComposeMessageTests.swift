import FaultInjection
import Foundation
import Testing
import ValiseChatLog
import ValiseChatSchema
import ValiseComposition
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseSampleAccounts

@testable import Valise

/// Messages composed for chats of an account, stored in it as the official program would, and read again.
struct ComposeMessageTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let context: OperationContext

    init() throws {
        folder = try TemporaryFolder("valise-compose", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        context = OperationContext(folders: ValiseFolders(state: folder.appending("state")))
        try SampleAccount(.init(messages: 60, conversations: 1))
            .build(account, passphrase: try SecretBytes.empty())
    }

    private func connect() throws -> Connection {
        try Connection(account.path(of: .chat), mode: .readWrite, passphrase: try SecretBytes.empty())
    }

    private func change(_ statements: String...) throws {
        let connection = try connect()
        for statement in statements { try connection.execute(statement) }
    }

    private func compose(
        _ chat: String, _ change: (inout ComposeMessage) -> Void
    ) async throws -> ComposedReport {
        var input = ConversationInput(account.directory)
        input.selectors = [chat]
        var operation = ComposeMessage(input)
        change(&operation)
        return try await operation.run(in: context)
    }

    private func chats() async throws -> [Conversation] {
        let connection = try connect()
        return try ChatLog(connection).conversations()
    }

    /// The first contact that can be written to.
    private func contact() throws -> Int64 {
        let connection = try connect()
        return try #require(
            connection.value(
                """
                SELECT c.contact_id FROM contacts c JOIN users u ON u.user_id = c.user_id
                WHERE u.active_user = 1 AND c.is_user = 0 AND c.deleted = 0 AND c.contact_status = 'active'
                    AND c.contact_used = 1 ORDER BY c.contact_id LIMIT 1
                """)?.integer)
    }

    // MARK: There and back

    /// Stores what would be sent as an item of the user's own.
    private func store(_ message: ComposedMessage, in contact: Int64) throws -> Int64 {
        let content = "{\"sndMsgContent\":{\"msgContent\":\(message.content.fields.jsonText)}}"
        let connection = try connect()
        let time = UTCTime.now.text
        try connection.run(
            """
            INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_content, item_text,
                item_status, created_at, updated_at, quoted_sent_at)
            SELECT user_id, contact_id, 1, ?, ?, ?, 'snd_sent complete', ?, ?, NULL
            FROM contacts WHERE contact_id = ?
            """,
            [
                .text(time), .text(content), .text(message.content.text), .text(time), .text(time),
                .integer(contact),
            ])
        return connection.lastInsertedRow
    }

    private static let texts = [
        "words", "*bold* and !1 red! and #secret# words", "https://example.org/a_(b)?c=d#e",
        "two\nlines \u{1F600} \u{202e}x", "\"quotes\" \\ and \u{0}controls\u{7f}", "ab\r\ncd", "x y",
    ]

    private static var messages: [ComposedMessage] {
        let policy = ComposePolicy(ComposeChat(.contact, id: 1))
        let page = MessageContent.LinkPreview(
            uri: "https://example.org/a", title: "T \"q\"", description: "",
            image: "data:image/jpg;base64,AA==")
        let file = ComposedFile(path: "/tmp/a b.txt", size: 10)
        let states: [[ComposeEvent]] =
            texts.map { [.textChanged($0)] } + [
                [
                    .linkPreviewsChosen(.enable), .textChanged("see https://example.org/a"),
                    .linkDelayPassed("https://example.org/a"),
                    .linkPreviewLoaded("https://example.org/a", page),
                ],
                [.filePicked(file), .textChanged("a file")],
                [
                    .mediaPicked([
                        AttachedMedia(preview: "data:image/jpg;base64,AA==", file: file),
                        AttachedMedia(preview: "data:image/jpg;base64,BB==", seconds: 7, file: file),
                    ]), .textChanged("caption"),
                ],
                [.recordingStarted(file), .recordingStopped(seconds: 12.4)],
            ]
        return states.flatMap { events in
            var state = ComposeState(linkPreviews: .enabled)
            for event in events { state = ComposeState.reduce(state, event, policy).state }
            return state.composedMessages(policy).compactMap {
                if case .new(let message, _) = $0 { message } else { nil }
            }
        }
    }

    @Test func `what is composed and stored is read with the same content`() async throws {
        let contact = try contact()
        let messages = Self.messages
        #expect(messages.count == Self.texts.count + 5)
        let rows = try messages.map { try store($0, in: contact) }
        let connection = try connect()
        let log = try ChatLog(connection)
        let chat = try #require(try log.conversations().first { $0.key == "contact-\(contact)" })
        var found: [Int64: MessageContent] = [:]
        try log.forEachItem(of: chat) { found[$0.row] = $0.message }
        for (row, message) in zip(rows, messages) {
            #expect(found[row]?.fields == message.content.fields, "\(message.content.fields.jsonText)")
        }
    }

    @Test func `an item that is edited and not changed stays as it is`() async throws {
        let contact = try contact()
        for message in Self.messages where message.content.type != "voice" {
            let row = try store(message, in: contact)
            let report = try await compose("contact-\(contact)") { $0.edit = "\(row)" }
            #expect(report.messages.first?.kind == "update")
            #expect(report.refusals == ["nothing to send: the message is empty"], "\(report.refusals)")
            let changed = try await compose("contact-\(contact)") {
                $0.edit = "\(row)"
                $0.text = message.content.text + " more"
            }
            #expect(changed.isSendable, "\(changed.refusals)")
            #expect(changed.commands[0].hasPrefix("/_update item @\(contact) \(row) json "))
        }
    }

    // MARK: What the account allows

    @Test func `preferences of both sides decide`() async throws {
        let contact = try contact()
        let name = "contact-\(contact)"
        func refusals(_ own: String, _ theirs: String, feature: String = "files") async throws -> [String] {
            try change(
                "UPDATE contacts SET user_preferences = '{\"\(feature)\":{\"allow\":\"\(own)\"}}' WHERE contact_id = \(contact)",
                """
                UPDATE contact_profiles SET preferences = '{"\(feature)":{"allow":"\(theirs)"}}'
                WHERE contact_profile_id = (SELECT contact_profile_id FROM contacts WHERE contact_id = \(contact))
                """)
            let path = folder.appending("file.txt")
            try FileSystem().replace(path, with: [1])
            return try await compose(name) { $0.attachments = [path] }.refusals
        }
        for (own, theirs) in [("yes", "yes"), ("no", "always"), ("always", "yes"), ("yes", "always")] {
            #expect(try await refusals(own, theirs).isEmpty, "\(own), \(theirs)")
        }
        for (own, theirs) in [("no", "yes"), ("yes", "no"), ("always", "no"), ("no", "no")] {
            #expect(
                try await refusals(own, theirs) == ["files and media are not allowed in this chat"],
                "\(own), \(theirs)")
        }
        try change("UPDATE contacts SET contact_status = 'deleted' WHERE contact_id = \(contact)")
        #expect(
            try await compose(name) { $0.text = "x" }.refusals == ["you cannot send messages in this chat"])
    }

    @Test func `the role in a group decides`() async throws {
        let connection = try connect()
        let group = try #require(
            connection.value(
                """
                SELECT g.group_id FROM groups g JOIN users u ON u.user_id = g.user_id
                JOIN group_members m ON m.group_id = g.group_id AND m.member_category = 'user'
                WHERE u.active_user = 1 AND g.business_chat IS NULL ORDER BY g.group_id LIMIT 1
                """)?.integer)
        let profile = "(SELECT group_profile_id FROM groups WHERE group_id = \(group))"
        try change(
            """
            UPDATE group_profiles SET preferences = '{"simplexLinks":{"enable":"on","role":"admin"}}'
            WHERE group_profile_id = \(profile)
            """)
        let link = "https://simplex.chat/contact#/?v=2-7&smp=smp%3A%2F%2Fa%40b.example%2Fc"
        func refusals(_ role: String, _ status: String = "connected", _ text: String = "x") async throws
            -> [String]
        {
            try change(
                """
                UPDATE group_members SET member_role = '\(role)', member_status = '\(status)'
                WHERE group_id = \(group) AND member_category = 'user'
                """)
            return try await compose("group-\(group)") { $0.text = text }.refusals
        }
        #expect(try await refusals("member").isEmpty)
        #expect(try await refusals("observer") == ["you cannot send messages in this chat"])
        #expect(try await refusals("owner", "left") == ["you cannot send messages in this chat"])
        #expect(try await refusals("owner", "connected", link).isEmpty)
        #expect(
            try await refusals("member", "connected", link) == ["SimpleX links are not allowed in this group"]
        )
    }

    @Test func `what is not there has its error`() async throws {
        let name = "contact-\(try contact())"
        func code(_ chat: String, _ change: (inout ComposeMessage) -> Void) async throws -> FailureCode? {
            do {
                _ = try await compose(chat, change)
                return nil
            } catch { return (error as? any Failure)?.code }
        }
        #expect(try await code("contact-99999") { $0.text = "x" } == .notFound)
        #expect(try await code(name) { $0.reply = "99999999" } == .notFound)
        #expect(try await code(name) { $0.reply = "no-such-id" } == .notFound)
        #expect(try await code(name) { $0.draft.restores = true } == .notFound)
        #expect(try await code(name) { $0.attachments = ["/nowhere/none"] } == .notFound)
        #expect(try await code(name) { $0.voice = "/dev/null" } == .notFound)
        #expect(
            try await code(name) {
                $0.text = "@nobody"
                $0.mentions = ["nobody"]
            } == .notFound)
    }

    // MARK: Drafts

    @Test func `a draft is kept for each chat, and restored whole`() async throws {
        let chats = try await chats().filter { $0.kind == .contact || $0.kind == .notes }.prefix(2)
        for chat in chats {
            _ = try await compose(chat.key) {
                $0.text = "draft for \(chat.key)"
                $0.draft.keeps = true
            }
        }
        for chat in chats {
            let report = try await compose(chat.key) { $0.draft.restores = true }
            #expect(report.messages.map(\.text) == ["draft for \(chat.key)"])
            var input = ConversationInput(account.directory)
            input.selectors = [chat.key]
            #expect(try await ForgetDraft(input).plan(in: context).found)
            #expect(try await ForgetDraft(input).run(in: context).found)
            #expect(try await !ForgetDraft(input).run(in: context).found)
        }
    }

    @Test func `drafts of a former passphrase are named, and stay`() async throws {
        let name = "contact-\(try contact())"
        let drafts = folder.appending("state/drafts")
        _ = try await compose(name) {
            $0.text = "x"
            $0.draft.keeps = true
        }
        let file = try #require(TemporaryFolder.contents(of: drafts).keys.first)
        let other = Array(repeating: UInt8(7), count: 4096)
        try FileSystem().replace(drafts.appending(file), with: other)
        let error = try await #require(throws: OperationError.self) {
            try await compose(name) { $0.draft.restores = true }
        }
        #expect(error.code == .wrongPassphrase && error.message.contains("The account is intact"), "\(error)")
        #expect(try FileSystem().contents(of: drafts.appending(file), limit: 1 << 20) == other)
    }

    @Test func `a long draft takes the place of a longer one, and its words are gone from the file`()
        async throws
    {
        let name = "contact-\(try contact())"
        for text in [String(repeating: "zqsecret ", count: 20_000), "short"] {
            _ = try await compose(name) {
                $0.text = text
                $0.draft.keeps = true
            }
        }
        let drafts = folder.appending("state/drafts")
        for (name, bytes) in try TemporaryFolder.contents(of: drafts) {
            #expect(bytes?.firstRange(of: Array("zqsecret".utf8)) == nil, "\(name)")
        }
    }
}
