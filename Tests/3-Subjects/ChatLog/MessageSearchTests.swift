import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

@testable import ValiseChatLog

/// Searches by an index, by a walk through all texts, and by a look at each item: all find the same.
struct MessageSearchTests {
    private let folder: TemporaryFolder
    private var location: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private static let passphrase = "a passphrase of a sample"

    init() throws { folder = try TemporaryFolder() }

    private func build(_ passphrase: String = passphrase, messages: Int = 400) throws {
        try SampleAccount(.init(messages: messages)).build(
            location, passphrase: SecretBytes(copying: Array(passphrase.utf8)).rememberingKeys())
    }

    private static func secret(_ passphrase: String) throws -> SharedSecret {
        try SharedSecret(SecretBytes(copying: Array(passphrase.utf8)).rememberingKeys())
    }

    // MARK: Searching

    private enum Way: CaseIterable { case each, walk, index }

    private struct Found: Equatable {
        var items: [String] = []
        var damaged = 0
    }

    /// One search, as `SearchConversations` does it.
    private func search(
        _ texts: [String], _ way: Way, passphrase: String = passphrase,
        progress: ProgressCounter = ProgressCounter()
    ) throws -> (found: [Found], states: [SearchIndex.State]) {
        let secret = try Self.secret(passphrase)
        let database = try IndexedDatabase(.folder(location), now: .max)
        let reader = try AccountReader(location)
        let open: ChatConnections = { try reader.connectWithAnySettings(.chat, passphrase: secret.bytes) }
        let log = try ChatLog(open(), counts: way == .each)
        var states: [SearchIndex.State] = []
        let found = try texts.map { text in
            let query = try #require(TextQuery(text))
            let rows: [Int64]?
            switch way {
            case .each: rows = nil
            case .walk:
                rows = try ItemTextScan(workers: 2) { try ItemTextWorker(open) }.rows(matching: query) { _ in
                }
            case .index:
                let index = try SearchIndex(
                    in: folder.appending("search"), of: database, reader, passphrase: secret.bytes)
                let result = try index.rows(matching: query, workers: 2, { { try ItemTextWorker(open) } }) {
                    _ in try progress.count()
                }
                rows = result.rows
                states.append(result.state)
            }
            return try self.found(query, in: log, rows)
        }
        return (found, states)
    }

    private func found(_ query: TextQuery, in log: ChatLog, _ rows: [Int64]?) throws -> Found {
        var found = Found()
        let candidates = try rows.map { try log.found($0) {} }
        for conversation in try log.conversations(includesHidden: true, damaged: { throw $0 }) {
            let body = { (found: inout Found, item: ConversationItem) in
                if query.matches(item.text) { found.items.append("\(conversation.key) \(item.row)") }
            }
            if let candidates {
                try log.forEachItem(
                    candidates, of: conversation, damaged: { _ in found.damaged += 1 }, { body(&found, $0) })
            } else {
                try log.forEachItem(
                    of: conversation, newest: nil, damaged: { _ in found.damaged += 1 }, { body(&found, $0) })
            }
        }
        return found
    }

    /// Throws at one of the calls.
    final class ProgressCounter {
        private var left: Int
        init(_ left: Int = .max) { self.left = left }
        func count() throws {
            left -= 1
            if left < 0 { throw Interruption() }
        }
    }

    private static let texts = [
        "e", "the", "a -the", "\"e a\"", "THE", "ö", "Ö -a", "zzzzzz", "@", "http", "🙂", "bo", "st br", ".",
    ]

    private func compare(passphrase: String = passphrase) throws {
        let each = try search(Self.texts, .each, passphrase: passphrase).found
        #expect(each.contains { !$0.items.isEmpty } && each.contains { $0.items.isEmpty })
        for way in [Way.walk, .index] {
            let found = try search(Self.texts, way, passphrase: passphrase).found
            for (index, text) in Self.texts.enumerated() {
                #expect(found[index] == each[index], "\(way) of \(text)")
            }
        }
    }

    @Test func `all ways find the same items in the same order`() throws {
        try build()
        try compare()
    }

    @Test func `an index is made once, and used as long as nobody changed the account`() throws {
        try build()
        #expect(try search(["the", "a"], .index).states == [.made, .current])
        #expect(try search(["the"], .index).states == [.current])
    }

    /// Old databases have tables that are not strict, which can have values of any kind.
    private static let loose = [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name IN ('chat_items', 'files')",
        "PRAGMA writable_schema = RESET", "PRAGMA ignore_check_constraints = ON",
    ]

    private func change(_ statements: [String]) throws {
        let connection = try Connection(
            location.path(of: .chat), mode: .readWrite,
            passphrase: SecretBytes(copying: Array(Self.passphrase.utf8)))
        for statement in Self.loose + statements { try connection.execute(statement) }
    }

    @Test func `what is new, edited or deleted in the account is so in the index`() throws {
        try build()
        _ = try search(["the"], .index)
        let head = try FileSource(location.path(of: .chat)).bytes(at: 0, upTo: 16)
        #expect(!head.starts(with: "SQLite".utf8), "the sample is not encrypted")
        try change([
            "UPDATE chat_items SET item_text = 'an edited Wörd' WHERE chat_item_id % 50 = 7",
            "DELETE FROM chat_items WHERE chat_item_id % 40 = 3",
            "UPDATE chat_items SET item_text = '' WHERE chat_item_id % 60 = 11",
            "UPDATE chat_items SET item_text = CAST('a blob of the sea' AS BLOB) WHERE chat_item_id % 70 = 1",
        ])
        let (found, states) = try search(["edited wÖRD", "blob"], .index)
        #expect(states == [.updated, .current])
        #expect(found.allSatisfy { !$0.items.isEmpty })
        try compare()
    }

    @Test func `rows that break the schema are counted by all ways`() throws {
        try build()
        _ = try search(["the"], .index)
        try change([
            "UPDATE chat_items SET item_sent = 'x' WHERE chat_item_id = 20",
            "UPDATE chat_items SET item_edited = 'x' WHERE chat_item_id = 21",
            "UPDATE chat_items SET shared_msg_id = 5 WHERE chat_item_id = 22",
            "UPDATE files SET file_size = 'x' WHERE file_id = (SELECT min(file_id) FROM files WHERE chat_item_id > 30)",
        ])
        let each = try search(["zzzzzz"], .each).found
        #expect(each[0].damaged >= 3)
        try compare()
    }

    @Test func `an index of another passphrase is made again`() throws {
        try build()
        _ = try search(["the"], .index)
        try FileSystem().removeTree(location.directory)
        try build("another passphrase")
        #expect(try search(["the"], .index, passphrase: "another passphrase").states == [.replaced])
        try compare(passphrase: "another passphrase")
    }

    @Test func `a search that is stopped leaves an index that the next one goes on with`() throws {
        try build()
        var calls = 0
        var last: SearchIndex.State?
        while last == nil {
            let progress = ProgressCounter(calls)
            do { last = try search(["the"], .index, progress: progress).states.first } catch is Interruption {
            }
            calls += 1
            try #require(calls < 1000)
        }
        try compare()
    }

    @Test func `nothing of the messages is to be read in the index`() throws {
        try build()
        try change(["UPDATE chat_items SET item_text = 'amarkerthatiseasytofind' WHERE chat_item_id < 100"])
        #expect(try search(["markerthat"], .index).found[0].items.isEmpty == false)
        let files = FileSystem()
        let search = folder.appending("search")
        #expect(try files.attributes(of: search)?.permissions == .ownerReadWriteExecute)
        for name in try files.list(search).compactMap(\.name) {
            let file = search.appending(name)
            #expect(try files.attributes(of: file)?.permissions == .ownerReadWrite)
            let text = String(decoding: try files.contents(of: file, limit: 1 << 26), as: UTF8.self)
            #expect(!text.contains("marker") && !text.hasPrefix("SQLite"))
        }
        #expect(try SearchIndex.remove(in: search, of: IndexedDatabase(.folder(location), now: .max)))
        #expect(try files.list(search).isEmpty)
    }
}
