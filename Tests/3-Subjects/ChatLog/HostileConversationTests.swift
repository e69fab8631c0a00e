import EraDatabases
import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseSecrets

@testable import ValiseChatLog

/// Chat databases that somebody made to break their reader: each ends in an error, or is read with what cannot be read counted.
@Suite(.timeLimit(.minutes(2))) struct HostileConversationTests {
    enum Outcome {
        /// It ends in an error that says something.
        case refused
        /// Everything is read.
        case whole
        /// An error, or an account of what was read and what was not.
        case answered
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcome: Outcome
        let script: String

        init(_ name: String, _ outcome: Outcome, _ script: String) {
            (testDescription, self.outcome, self.script) = (name, outcome, script)
        }
    }

    struct Count: Equatable {
        var items = 0
        var damaged = 0
    }

    private let folder: TemporaryFolder
    private let path: FilePath

    init() throws {
        let account = try TemporaryAccount(messages: 60)
        folder = try TemporaryFolder("valise-hostile-chats", inMemory: true)
        // Without constraints and strict types, which whoever makes a hostile database leaves out.
        path = try EraDatabase(
            folder.path.appending("chat.db"), .june2025, from: account.location.path(of: .chat)
        ).path
    }

    private static let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"

    static let changes = [
        Change(
            "a view in the place of items", .refused,
            "ALTER TABLE chat_items RENAME TO others; CREATE VIEW chat_items AS SELECT * FROM others"),
        Change(
            "an endless view in the place of contacts", .refused,
            "DROP TABLE contacts; CREATE VIEW contacts AS \(endless) SELECT x AS contact_id, 1 AS user_id, "
                + "'a' AS local_display_name FROM n"),
        Change(
            "triggers", .whole,
            "CREATE TRIGGER one AFTER INSERT ON chat_items BEGIN DELETE FROM contacts; END; "
                + "CREATE TRIGGER two AFTER UPDATE ON users BEGIN DELETE FROM chat_items; END"),
        Change(
            "a virtual table in the place of members", .answered,
            "DROP TABLE group_members; CREATE VIRTUAL TABLE group_members USING fts5 (group_member_id, group_id)"
        ),
        Change(
            "a text of megabytes", .whole,
            "UPDATE chat_items SET item_text = replace(hex(zeroblob(4000000)), '0', 'a') WHERE chat_item_id = "
                + "(SELECT min(chat_item_id) FROM chat_items)"),
        Change(
            "a content of a hundred thousand levels", .whole,
            "UPDATE chat_items SET item_content = replace(hex(zeroblob(50000)), '0', '[')"),
        Change(
            "messages that quote themselves and each other", .whole,
            "UPDATE chat_items SET quoted_shared_msg_id = shared_msg_id, quoted_sent = 1, "
                + "quoted_content = '{\"type\":\"text\",\"text\":\"again\"}'"),
        Change(
            "no content", .answered, "UPDATE chat_items SET item_content = NULL WHERE chat_item_id % 3 = 0"),
        Change("no times", .answered, "UPDATE chat_items SET item_ts = NULL, created_at = NULL"),
        Change(
            "bytes for times and words for numbers", .answered,
            "UPDATE chat_items SET item_ts = x'00ff', created_at = 1.5, item_sent = 'x', item_deleted = 'yes'"
        ),
        Change(
            "texts that are not UTF-8", .answered,
            "UPDATE chat_items SET item_text = CAST(x'fffe00c0' AS TEXT)"),
        Change("chats whose numbers are negative", .answered, "UPDATE contacts SET contact_id = -contact_id"),
        Change("chats without names", .answered, "UPDATE groups SET local_display_name = NULL"),
        Change(
            "a user with the last of all numbers", .answered,
            "UPDATE users SET user_id = 9223372036854775807 WHERE user_id = (SELECT min(user_id) FROM users)"),
        Change("items of no chat", .answered, "UPDATE chat_items SET contact_id = NULL, group_id = -1"),
        Change(
            "a talk with administrators for each item", .answered,
            "UPDATE chat_items SET group_scope_tag = 'member_support', group_scope_group_member_id = chat_item_id "
                + "WHERE group_id IS NOT NULL"),
        Change(
            "two further files for each item", .whole,
            "INSERT INTO files (file_id, user_id, chat_item_id, file_name) SELECT 100000 + chat_item_id, user_id, "
                + "chat_item_id, '../../x' FROM chat_items; INSERT INTO files (file_id, user_id, chat_item_id, file_name) "
                + "SELECT 200000 + chat_item_id, user_id, chat_item_id, '/' FROM chat_items"),
        Change(
            "numbers at their ends", .answered,
            "UPDATE chat_items SET timed_ttl = 9223372036854775807; UPDATE files SET file_size = -9223372036854775808"
        ),
    ]

    @Test(arguments: changes) func `a hostile database ends in an error or in an account of it`(
        change: Change
    ) throws {
        let before = try read()
        #expect(before.items > 50 && before.damaged == 0)
        do {
            // The connection is closed before it is read.
            let database = try Connection(path, mode: .readWrite, passphrase: try SecretBytes.empty())
            try database.execute("PRAGMA foreign_keys = OFF")
            try database.execute(change.script)
        }
        do {
            let after = try read()
            switch change.outcome {
            case .refused: Issue.record("read \(after)")
            case .whole: #expect(after == before)
            case .answered: #expect(after.items <= before.items)
            }
        } catch let error as DatabaseError {
            #expect(change.outcome != .whole, "\(error)")
            #expect(!error.message.isEmpty)
        }
    }

    /// Everything, in all forms that need no folder.
    private func read() throws -> Count {
        let log = try ChatLog(
            Connection(path, mode: .readOnly, passphrase: try SecretBytes.empty()))
        var count = Count()
        var lines = JSONLineWriter()
        for conversation in try log.conversations(includesHidden: true, damaged: { _ in count.damaged += 1 })
        {
            var renderers: [any ConversationRenderer] = [TextRenderer(), MarkdownRenderer(), CSVRenderer()]
            _ = lines.line(of: conversation)
            try log.forEachItem(of: conversation, damaged: { _ in count.damaged += 1 }) { item in
                count.items += 1
                _ = lines.line(of: item, in: conversation.key)
                for index in renderers.indices { _ = renderers[index].text(of: item) }
            }
        }
        return count
    }
}
