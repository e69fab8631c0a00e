import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseChatLog
import ValiseChatSchema
import ValiseDatabase
import ValiseSecrets

/// Accounts that the app's own core made, against what the core itself shows of them.
struct AppCoreTests {
    struct Account: Sendable, CustomTestStringConvertible {
        let name: String
        let passphrase: String
        var testDescription: String { name }

        func log() throws -> ChatLog {
            let path = Repository.url("Tests/5-Commands/Commands/Fixtures/app-core/\(name).zip").path
            let reader = try AccountReader(.archive(FilePath(path)))
            return try ChatLog(
                reader.connectWithAnySettings(.chat, passphrase: SecretBytes(copying: Array(passphrase.utf8)))
            )
        }

        func shown() throws -> [String: Any] {
            let data = try Data(contentsOf: Repository.beside("Fixtures/\(name).shown.json"))
            return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }

    static let accounts = [
        Account(name: "alice", passphrase: "correct-horse-11"), Account(name: "bob", passphrase: ""),
        Account(name: "alice-5.4", passphrase: "correct-horse-21"),
    ]

    /// The core's names of chats, such as `@4`.
    private func chatReference(_ conversation: Conversation) -> String {
        let id = conversation.key.split(separator: "-").last ?? ""
        switch conversation.kind {
        case .contact: return "@\(id)"
        case .notes: return "*\(id)"
        default: return "#\(id)"
        }
    }

    @Test(arguments: accounts) func `every item is there, in the core's order, with its texts and marks`(
        account: Account
    )
        throws
    {
        let log = try account.log()
        let shown = try #require(try account.shown()["items"] as? [String: Any])
        let conversations = try log.conversations(includesHidden: true)
        var seen: Set<String> = []
        for conversation in conversations {
            let reference = chatReference(conversation)
            guard let expected = Self.items(shown[reference]) else { continue }
            seen.insert(reference)
            var items: [ConversationItem] = []
            try log.forEachItem(of: conversation, newest: nil, damaged: { throw $0 }, { items.append($0) })
            #expect(
                items.map { Int($0.row) } == expected.map { Self.meta($0)["itemId"] as? Int }, "\(reference)")
            #expect(conversation.items == Int64(expected.count), "\(reference)")
            for (item, expected) in zip(items, expected) {
                compare(item, expected, "\(reference) \(item.row)")
            }
        }
        #expect(seen == Set(shown.keys), "conversations are missing")
    }

    private static func items(_ value: Any?) -> [[String: Any]]? {
        if let object = value as? [String: Any] { return object["chatItems"] as? [[String: Any]] }
        return value as? [[String: Any]]
    }

    private static func meta(_ item: [String: Any]) -> [String: Any] { item["meta"] as? [String: Any] ?? [:] }

    private func compare(_ item: ConversationItem, _ expected: [String: Any], _ what: String) {
        let meta = Self.meta(expected)
        #expect(item.text == meta["itemText"] as? String, "\(what)")
        #expect(item.isEdited == meta["itemEdited"] as? Bool, "\(what)")
        #expect(item.isLive == (meta["itemLive"] as? Bool ?? false), "\(what)")
        let direction = (expected["chatDir"] as? [String: Any])?["type"] as? String ?? ""
        #expect(item.isSent == direction.hasSuffix("Snd"), "\(what)")
        let content = expected["content"] as? [String: Any]
        #expect(item.content.kind?.rawValue == content?["type"] as? String, "\(what)")
        let deleted = (meta["itemDeleted"] as? [String: Any])?["type"] as? String
        #expect(Self.word(item.deletion) == deleted, "\(what)")
        let quoted = expected["quotedItem"] as? [String: Any]
        #expect(
            item.quote?.content?.text == (quoted?["content"] as? [String: Any])?["text"] as? String, "\(what)"
        )
        let forwarded = (meta["itemForwarded"] as? [String: Any])?["type"] as? String
        #expect(item.forward?.kind == forwarded, "\(what)")
        let timed = meta["itemTimed"] as? [String: Any]
        #expect(item.lifetime.map { Int($0) } == timed?["ttl"] as? Int, "\(what)")
        compareFormats(item, expected["formattedText"] as? [[String: Any]], what)
        compareReactions(item, expected["reactions"] as? [[String: Any]] ?? [], what)
        compareFile(item, expected["file"] as? [String: Any], what)
    }

    private static func word(_ deletion: ItemDeletion?) -> String? {
        switch deletion?.kind {
        case nil: nil
        case .deleted: "deleted"
        case .moderated: "moderated"
        case .blocked: "blocked"
        case .blockedByAdministrator: "blockedByAdmin"
        }
    }

    private func compareFormats(_ item: ConversationItem, _ expected: [[String: Any]]?, _ what: String) {
        let parts = Self.shown(item)
        guard let expected else {
            #expect(!parts.contains { $0.format != nil }, "\(what): \(parts)")
            return
        }
        #expect(parts.map(\.text) == expected.map { $0["text"] as? String }, "\(what)")
        let formats = expected.map { ($0["format"] as? [String: Any])?["type"] as? String }
        #expect(parts.map { $0.format.map(Self.name) } == formats, "\(what)")
    }

    /// What looks like a mention is none where no member is mentioned; these cores did not know any.
    private static func shown(_ item: ConversationItem) -> [(format: TextFormat?, text: String)] {
        var shown: [(format: TextFormat?, text: String)] = []
        for part in FormattedText(item.text).parts {
            var format = part.format
            if case .mention(let name) = format, item.mentions[name] == nil { format = nil }
            if let last = shown.indices.last, shown[last].format == format {
                shown[last].text += part.text
            } else {
                shown.append((format, part.text))
            }
        }
        return shown
    }

    private static func name(_ format: TextFormat) -> String {
        switch format {
        case .bold: "bold"
        case .italic: "italic"
        case .strikethrough: "strikeThrough"
        case .code: "snippet"
        case .secret: "secret"
        case .small: "small"
        case .colored: "colored"
        case .link: "uri"
        case .namedLink: "hyperLink"
        case .simplexLink: "simplexLink"
        case .simplexName: "simplexName"
        case .command: "command"
        case .mention: "mention"
        case .email: "email"
        case .phone: "phone"
        }
    }

    private func compareReactions(_ item: ConversationItem, _ expected: [[String: Any]], _ what: String) {
        let wanted = expected.map { reaction in
            let emoji = (reaction["reaction"] as? [String: Any])?["emoji"] as? String ?? "?"
            return
                "\(emoji) \(reaction["totalReacted"] as? Int ?? 0) \(reaction["userReacted"] as? Bool ?? false)"
        }
        #expect(
            item.reactions.map { "\($0.emoji) \($0.count) \($0.includesSelf)" }.sorted() == wanted.sorted(),
            "\(what)")
    }

    private func compareFile(_ item: ConversationItem, _ expected: [String: Any]?, _ what: String) {
        #expect(item.file?.name == expected?["fileName"] as? String, "\(what)")
        #expect(item.file?.size.map { Int($0) } == expected?["fileSize"] as? Int, "\(what)")
        let source = expected?["fileSource"] as? [String: Any]
        #expect(item.file?.path == source?["filePath"] as? String, "\(what)")
        #expect((item.file?.isEncrypted ?? false) == (source?["cryptoArgs"] != nil), "\(what)")
    }

    @Test(arguments: accounts) func `all versions of items are there`(account: Account) throws {
        let log = try account.log()
        let info = try #require(try account.shown()["info"] as? [String: Any])
        var versions: [String: [String]] = [:]
        for conversation in try log.conversations(includesHidden: true) {
            try log.forEachItem(of: conversation, newest: nil, damaged: { throw $0 }) { item in
                let name = "\(chatReference(conversation)) \(item.row)"
                versions[name] = item.versions.map(\.text)
            }
        }
        for (name, value) in info {
            let expected = (value as? [String: Any])?["itemVersions"] as? [[String: Any]] ?? []
            let texts = expected.map { ($0["msgContent"] as? [String: Any])?["text"] as? String }
            // The core shows the last one first, and one version of an item that was never changed.
            let found = versions[name] ?? []
            guard !found.isEmpty || texts.count > 1 else { continue }
            #expect(found.reversed() == texts, "\(name)")
        }
    }

    @Test(arguments: accounts) func `an export is read again as it was, and no item is lost`(account: Account)
        throws
    {
        let log = try account.log()
        var writer = JSONLineWriter()
        for conversation in try log.conversations(includesHidden: true) {
            try log.forEachItem(of: conversation, newest: nil, damaged: { throw $0 }) { item in
                let line = writer.line(of: item, in: conversation.key)
                #expect(line.last == 0x0A && !line.dropLast().contains(0x0A))
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line)) }
            }
        }
    }
}
