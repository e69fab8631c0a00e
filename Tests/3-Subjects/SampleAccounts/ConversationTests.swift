import Foundation
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseSampleAccounts

/// The conversations have every kind of item, of chat and of person that a reader can meet (SimpleX's chat log).
@Suite struct ConversationTests {
    private static let messages = 60

    @Test func `the same seed gives the same conversations`() throws {
        let first = try TemporaryAccount(messages: Self.messages, conversations: 1)
        let second = try TemporaryAccount(messages: Self.messages, conversations: 1)
        for database in AccountDatabase.allCases {
            #expect(try first.dump(database) == second.dump(database))
        }
        #expect(first.report == second.report)
        let other = try TemporaryAccount(messages: Self.messages, seed: 2, conversations: 1)
        #expect(try other.dump(.chat) != first.dump(.chat))
    }

    @Test func `without them nothing changes`() throws {
        let plain = try TemporaryAccount(messages: Self.messages).open(.chat)
        let with = try TemporaryAccount(messages: Self.messages, conversations: 1).open(.chat)
        let query = "SELECT * FROM chat_items WHERE chat_item_id <= \(Self.messages) ORDER BY chat_item_id"
        #expect(try plain.rows(query) == with.rows(query))
        #expect(try plain.value("SELECT count(*) FROM chat_items") == .integer(Int64(Self.messages)))
    }

    @Test func `as many items are written as were asked for, in whole rounds`() throws {
        let account = try TemporaryAccount(messages: 10, conversations: 2500)
        let connection = try account.open(.chat)
        let count = try connection.value("SELECT count(*) FROM chat_items")
        #expect(count == .integer(Int64(account.report.messages)))
        #expect(account.report.messages >= 2510)
        #expect(account.report.users == 3)
        #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `every constructor is there, and those that are sums in every case`() throws {
        let found = try Self.constructors(of: TemporaryAccount(messages: 0, conversations: 1))
        for name in ConversationKinds.constructors {
            #expect(found[name, default: 0] > 0, "no item \(name)")
        }
    }

    /// `name`, and `name.case` for what has a sum or a word inside.
    private static func constructors(of account: TemporaryAccount) throws -> [String: Int] {
        var found: [String: Int] = [:]
        for row in try account.open(.chat).rows("SELECT item_content FROM chat_items") {
            guard let text = row[0].text, let data = text.data(using: .utf8),
                let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            else { continue }
            for (name, value) in object {
                found[name, default: 0] += 1
                guard let fields = value as? [String: Any] else { continue }
                for inside in ["status", "deleteMode", "msgDecryptError", "feature", "groupFeature"] {
                    if let word = fields[inside] as? String { found["\(name).\(word)", default: 0] += 1 }
                }
                for inside in [name, "msgError"] {
                    for key in (fields[inside] as? [String: Any] ?? [:]).keys {
                        found["\(name).\(key)", default: 0] += 1
                    }
                }
                if let message = fields["msgContent"] as? [String: Any], let type = message["type"] as? String
                {
                    found["\(name).\(type)", default: 0] += 1
                }
            }
        }
        return found
    }

    @Test func `every trait, place and status is there`() throws {
        let connection = try TemporaryAccount(messages: 0, conversations: 1).open(.chat)
        for condition in ConversationKinds.conditions {
            let found = try connection.value("SELECT 1 FROM chat_items WHERE \(condition) LIMIT 1")
            #expect(found == 1, "no item with \(condition)")
        }
        for query in ConversationKinds.queries {
            #expect(try !connection.rows("\(query) LIMIT 1").isEmpty, "nothing for \(query)")
        }
    }

    @Test func `statuses of delivery and of files have each of their words`() throws {
        let connection = try TemporaryAccount(messages: 0, conversations: 1).open(.chat)
        func words(_ query: String) throws -> Set<String> {
            Set(try connection.rows(query).compactMap { $0[0].text })
        }
        #expect(
            try words("SELECT DISTINCT item_status FROM chat_items").isSuperset(
                of: ConversationKinds.statuses))
        #expect(
            try words("SELECT DISTINCT group_snd_item_status FROM group_snd_item_statuses")
                .isSuperset(of: [
                    "snd_forwarded", "snd_inactive", "snd_rcvd badMsgHash complete", "snd_error quota",
                ]))
        #expect(
            try words("SELECT DISTINCT ci_file_status FROM files").isSuperset(
                of: ConversationKinds.fileStatuses))
    }

    @Test func `hostile texts are stored as they are`() throws {
        let connection = try TemporaryAccount(messages: 0, conversations: 1).open(.chat)
        let texts = Set(try connection.rows("SELECT item_text FROM chat_items").compactMap { $0[0].text })
        let hostile = [
            "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "\u{202E}gpj.exe",
            "NUL here \u{0} and after",
        ]
        for text in hostile { #expect(texts.contains(text), "\(text.debugDescription)") }
        #expect(texts.contains { $0.count == 3000 && !$0.contains(" ") })
        // As JSON writes it.
        #expect(
            try connection.value(
                "SELECT 1 FROM chat_items WHERE item_content LIKE '%NUL here \\u0000 and%' LIMIT 1") == 1)
    }

    @Test func `a direct chat is not in the order of the relay's times`() throws {
        let connection = try TemporaryAccount(messages: 0, conversations: 2000).open(.chat)
        let late = try connection.value(
            """
            SELECT count(*) FROM chat_items AS a JOIN chat_items AS b
            ON a.contact_id = b.contact_id AND a.created_at < b.created_at AND a.item_ts > b.item_ts
            WHERE a.item_content_tag <> 'chatBanner' AND b.item_content_tag <> 'chatBanner'
            """)
        #expect((late?.integer ?? 0) > 0)
    }

    @Test func `a large account is mostly texts of some length`() throws {
        let account = try TemporaryAccount(messages: 6000)
        let connection = try account.open(.chat)
        let bulk = "FROM chat_items WHERE chat_item_id > 5000"
        #expect(try connection.value("SELECT count(*) \(bulk)") == 1000)
        #expect(
            try connection.value("SELECT count(*) \(bulk) AND msg_content_tag NOT IN ('text', 'file')") != 0)
        let media = try connection.value(
            "SELECT count(*) FROM files WHERE chat_item_id > 5000")
        #expect(media == 20)
        #expect(
            try connection.value("SELECT max(length(item_text)) <= 400 \(bulk) AND msg_content_tag = 'text'")
                == 1)
        let average = try connection.value("SELECT CAST(avg(length(item_text)) AS INTEGER) \(bulk)")
        #expect((100...300).contains(average?.integer ?? 0))
    }
}
