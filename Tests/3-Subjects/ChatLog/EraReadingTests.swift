import EraDatabases
import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

@testable import ValiseChatLog

/// Databases of the official programs' past, read and exported in every form: as many items as SQL counts.
struct EraReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("valise-era-reading", inMemory: true) }

    @Test(arguments: Era.allCases, [false, true]) func `each item of each era is in every export`(
        era: Era, mixesClasses: Bool
    ) throws {
        let conversationItems = ProcessInfo.processInfo.environment["VALISE_SOAK"] == nil ? 1 : 20_000
        let account = try TemporaryAccount(messages: 100, conversations: conversationItems)
        let database = try EraDatabase(
            folder.path.appending("chat.db"), era, from: account.location.path(of: .chat),
            mixesClasses: mixesClasses)
        let log = try ChatLog(connection(database.path))
        let conversations = try log.conversations(includesHidden: true)
        var (items, shown) = (0, 0)
        for conversation in conversations {
            try log.forEachItem(of: conversation) { item in
                items += 1
                if item.isShown { shown += 1 }
            }
        }
        #expect(try items == count(database.path))
        #expect(items > 500)

        let target = folder.path.appending("export")
        try FileSystem().makeDirectory(target)
        let report = try ConversationExport().run(log, conversations, to: target)
        #expect(report.items == Int64(items) && report.damagedCount == 0)
        let export = try ExportedLog(target)
        let damaged = try ViewExport().run(
            export, try export.conversations(includesHidden: true, damaged: { throw $0 }),
            ViewFormat.allCases, to: target)
        #expect(damaged == [])
        #expect(try occurrences(of: "{\"type\":\"chatItem\"", below: target.appending("items")) == items)
        #expect(try occurrences(of: " id=\"m-", below: target.appending("html").appending("pages")) == shown)
    }

    private func connection(_ path: FilePath) throws -> Connection {
        try Connection(path, mode: .readOnly, passphrase: try SecretBytes.empty())
    }

    /// The items of contacts, groups and notes that the database has.
    private func count(_ path: FilePath) throws -> Int? {
        let database = try connection(path)
        let columns = Set(
            try database.rows("SELECT name FROM pragma_table_info('chat_items')").compactMap(\.[0].text))
        let conditions = ["contact_id", "group_id", "note_folder_id"].filter(columns.contains).map {
            "\($0) IS NOT NULL"
        }
        let query = "SELECT count(*) FROM chat_items WHERE \(conditions.joined(separator: " OR "))"
        return try database.value(query)?.integer.map { Int($0) }
    }

    private func occurrences(of text: String, below folder: FilePath) throws -> Int {
        let fileSystem = FileSystem()
        var count = 0
        for entry in try fileSystem.list(folder) {
            guard let name = entry.name else { continue }
            let path = folder.appending(name)
            if entry.kind == .directory {
                count += try occurrences(of: text, below: path)
            } else {
                let bytes = try fileSystem.contents(of: path, limit: 64 << 20)
                count += String(decoding: bytes, as: UTF8.self).ranges(of: text).count
            }
        }
        return count
    }
}
