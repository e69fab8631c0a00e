import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseEncoding
import ValiseFiles

@testable import ValiseChatLog

/// Exports as JSON lines, and exports that are brought up to date.
struct ConversationExportTests {
    private let folder: TemporaryFolder
    private static let chat = Conversation.made("group-1")
    private static let (first, second) = (UTCTime(seconds: 1_700_000_000), UTCTime(seconds: 1_800_000_000))

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static func item(_ minute: Int, _ text: String = "text") -> ConversationItem {
        let time = "2025-03-01 10:\(minute < 10 ? "0" : "")\(minute):00"
        return ItemMaker(key: "k\(minute)", time: time, text: text).item
    }

    private func export(
        _ items: [ConversationItem], _ time: UTCTime, fileSystem: FileSystem = FileSystem()
    ) throws -> ConversationExport.Report {
        let source = MemorySource(content: [(Self.chat, items)])
        return try ConversationExport(fileSystem: fileSystem, time: time).run(
            source, [Self.chat], to: folder.path)
    }

    private func read() throws -> [ConversationItem] {
        var items: [ConversationItem] = []
        let log = try ExportedLog(folder.path)
        for conversation in try log.conversations(includesHidden: true, damaged: { throw $0 }) {
            try log.forEachItem(of: conversation, newest: nil, damaged: { throw $0 }, { items.append($0) })
        }
        return items
    }

    /// What an export keeps of an item, as its line.
    private func lines(_ items: [ConversationItem]) -> [String] {
        var writer = JSONLineWriter()
        return items.map { String(decoding: writer.line(of: $0, in: Self.chat.key), as: UTF8.self) }
    }

    // MARK: Several at a time

    /// Conversations of which some are longer than what is handed over at a time.
    private static let several: [(conversation: Conversation, items: [ConversationItem])] = (1...7).map {
        number in
        let items = (0..<number * 100).map { row in
            ItemMaker(key: "k\(row)", time: "2025-03-01 10:00:00.\(1000 + row)", text: "\(number), \(row)")
                .item
        }
        return (.made("group-\(number)", items: items.count), items)
    }

    @Test func `several conversations at a time are written as one after the other`() throws {
        let conversations = Self.several.map(\.conversation)
        let folders = ["one", "several"].map { folder.path.appending($0) }
        let export = ConversationExport(time: Self.first)
        for folder in folders { try FileSystem().makeDirectory(folder) }
        let one = try export.run(MemorySource(content: Self.several), conversations, to: folders[0])
        let several = try export.run(
            opening: { MemorySource(content: Self.several) }, workers: 3, conversations, to: folders[1])
        #expect(several.items == 2800 && several.conversations == 7)
        #expect(one.items == several.items && one.added == several.added)
        for conversation in conversations {
            let files = try folders.map { folder in
                try FileSystem().contents(
                    of: ExportedLog.itemsPath(of: conversation.key, in: folder), limit: 1 << 20)
            }
            #expect(files[0] == files[1])
            let log = try ExportedLog(folders[1])
            var texts: [String] = []
            try log.forEachItem(
                of: conversation, newest: nil, damaged: { throw $0 }, { texts.append($0.text) })
            #expect(
                texts == Self.several.first { $0.conversation.key == conversation.key }?.items.map(\.text))
        }
    }

    @Test func `who stops the export gets their own error`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try ConversationExport(time: Self.first).run(
                opening: { MemorySource(content: Self.several) }, Self.several.map(\.conversation),
                to: folder.path, progress: { _ in throw Stop() })
        }
    }

    @Test func `damaged lines are told in their places, and who stops reading stops it`() throws {
        struct Stop: Error {}
        let (conversation, items) = Self.several[6]
        _ = try ConversationExport(time: Self.first).run(
            MemorySource(content: Self.several), [conversation], to: folder.path)
        let path = ExportedLog.itemsPath(of: conversation.key, in: folder.path)
        var bytes = try FileSystem().contents(of: path, limit: 1 << 20)
        bytes[0] = UInt8(ascii: "x")
        try FileSystem().remove(path)
        var file = try FileSystem().create(path)
        try file.write(bytes)
        try file.close()
        let log = try ExportedLog(folder.path)
        var (damaged, read) = (0, 0)
        try log.forEachItem(
            of: conversation, newest: nil,
            damaged: { error in
                #expect(error.message.contains("line 1 "))
                damaged += 1
            }, { _ in read += 1 })
        #expect(damaged == 1 && read == items.count - 1)
        #expect(throws: Stop.self) {
            try log.forEachItem(of: conversation, newest: nil, damaged: { _ in }, { _ in throw Stop() })
        }
    }

    @Test func `the view of a conversation with another name takes the place of the earlier one`() throws {
        for name in ["Garden", "Orchard"] {
            let conversation = Conversation.made("group-1", name: name)
            _ = try ViewExport().run(
                MemorySource(content: [(conversation, [Self.item(1)])]), [conversation], [.text],
                to: folder.path)
        }
        let names = try FileSystem().list(folder.path.appending("text")).compactMap(\.name)
        #expect(names == ["Orchard (group-1).txt"])
    }

    // MARK: One after the other

    @Test func `what is read again is what was written`() throws {
        var whole = ItemMaker(key: "whole", text: "text with \u{0} and \"quotes\"\nlines \u{202e}")
        whole.quote = ItemQuote(
            key: "k1", author: .dana, sentAt: ItemTime("2025-01-01 00:00:00.5"), content: nil,
            storedContent: nil, text: "quoted")
        whole.forward = ItemForward(kind: "group", name: "Garden", wasSent: true, conversation: "group-2")
        whole.reactions = [ItemReaction(emoji: "👍", authors: [.dana, .kim])]
        whole.versions = [
            ItemVersion(text: "a", time: ItemTime("no time")),
            ItemVersion(text: "b", time: ItemTime("2025-01-01 00:00:00")),
        ]
        whole.mentions = ["kim": .kim]
        whole.deletion = ItemDeletion(kind: .moderated, by: .dana, time: ItemTime("2025-01-01 00:00:00"))
        whole.file = .named("film.mp4")
        let unknown = ItemMaker(key: "unknown", content: #"{"newThing":{"a":[1,2.50,null]}}"#).item
        let broken = ItemMaker(key: "broken", text: "fallback", content: "{ not json").item
        let items = [whole.item, unknown, broken]
        _ = try export(items, Self.first)
        #expect(try lines(read()) == lines(items))
        #expect(try read()[2].storedContent == "{ not json")
    }

    @Test func `an update adds, changes and keeps what the account no longer has`() throws {
        _ = try export([Self.item(1), Self.item(2), Self.item(3)], Self.first)
        let report = try export([Self.item(0), Self.item(1, "edited"), Self.item(3)], Self.second)
        #expect(report.added == 1 && report.gone == 1)
        let items = try read()
        #expect(items.map(\.key) == ["k0", "k1", "k2", "k3"])
        #expect(items.map(\.text) == ["text", "edited", "text", "text"])
        #expect(items.map { $0.gone != nil } == [false, false, true, false])
        // What is gone stays as it was marked, and what comes back is there.
        let again = try export([Self.item(2), Self.item(3)], UTCTime(seconds: 1_900_000_000))
        #expect(again.gone == 2 && again.added == 0)
        #expect(try read().map { $0.gone != nil } == [true, true, false, false])
    }

    @Test func `an update keeps lines that cannot be read, and copies that are left out now`() throws {
        var file = ItemMaker(key: "k1", time: "2025-03-01 10:01:00")
        file.file = .named("film.mp4")
        let source = MemorySource(content: [(Self.chat, [file.item])])
        let copy = ExportedMedia(.present, path: "media/film.mp4")
        let export = ConversationExport(time: Self.first)
        _ = try export.run(source, [Self.chat], to: folder.path, media: { _, _, _ in copy })
        let path = ExportedLog.itemsPath(of: Self.chat.key, in: folder.path)
        let torn = Array("{\"type\":\"item\",\"id\n".utf8)
        let bytes = try FileSystem().contents(of: path, limit: 1 << 20)
        try FileSystem().remove(path)
        try FileSystem().replace(path, with: bytes + torn)
        let report = try export.run(
            source, [Self.chat], to: folder.path, media: { _, _, _ in ExportedMedia(.leftOut) })
        #expect(report.damaged == ["1 line of the earlier export cannot be read: kept in group-1.damaged"])
        let aside = path.removingLastComponent().appending("group-1.damaged")
        #expect(try FileSystem().contents(of: aside, limit: 1 << 20) == torn)
        #expect(try read().map { $0.file?.exported } == [copy])
    }

    @Test func `files of messages that are missing, and lines of the list, are damage`() throws {
        _ = try export([Self.item(1)], Self.first)
        try FileSystem().remove(ExportedLog.itemsPath(of: Self.chat.key, in: folder.path))
        let missing = #expect(throws: DatabaseError.self) { _ = try read() }
        #expect(missing?.message == "group-1.jsonl: the messages of this chat are missing")
        let list = folder.path.appending(ExportedLog.listName)
        let bytes = try FileSystem().contents(of: list, limit: 1 << 20)
        try FileSystem().remove(list)
        try FileSystem().replace(list, with: Array(bytes.dropLast(5)))
        let torn = #expect(throws: DatabaseError.self) { _ = try read() }
        #expect(torn?.message == "conversations.jsonl: line 2 cannot be read as a chat")
        // The list is not written anew without it.
        #expect(throws: DatabaseError.self) { _ = try export([Self.item(1)], Self.second) }
    }

    @Test func `an export of another account has other items under the same numbers`() throws {
        _ = try export([Self.item(1)], Self.first)
        let origin = try ExportedAccount(of: ExportedLog(folder.path))
        func isAnother(_ items: [ConversationItem]) throws -> Bool {
            try origin.isAnother(MemorySource(content: [(Self.chat, items)]), [Self.chat])
        }
        #expect(try isAnother([Self.item(2)]))
        #expect(try !isAnother([Self.item(2), Self.item(1, "edited")]))
        // All messages were deleted.
        #expect(try !isAnother([]))
    }

    @Test func `two exports, one after the other, are what the second alone would be`() throws {
        _ = try export([Self.item(1), Self.item(2)], Self.first)
        let all = [Self.item(1), Self.item(2, "edited"), Self.item(3)]
        _ = try export(all, Self.second)
        #expect(try lines(read()) == lines(all))
    }

    @Test func `whatever fails, each state is complete, and the next run completes it`() throws {
        let (before, after) = ([Self.item(1), Self.item(2)], [Self.item(2), Self.item(3)])
        let count = FaultPlan(.none)
        _ = try export(before, Self.first)
        let old = try lines(read())
        _ = try export(after, Self.second, fileSystem: FileSystem(interposer: count))
        let new = try lines(read())
        #expect(old != new && count.count > 5)
        for fault in [FaultPlan.Fault.fail(.noSpace), .crash, .tornWrite] {
            for number in 1...count.count {
                try FileSystem().removeTree(folder.path)
                try FileSystem().makeDirectory(folder.path)
                _ = try export(before, Self.first)
                let plan = FaultPlan(fault, at: number)
                _ = try? export(after, Self.second, fileSystem: FileSystem(interposer: plan))
                let state = try lines(read())
                #expect(state == old || state == new, "\(fault) at \(number)")
                _ = try export(after, Self.second)
                #expect(try lines(read()) == new, "\(fault) at \(number)")
            }
        }
    }

    @Test func `Markdown links to files from the folder of its own`() {
        var maker = ItemMaker()
        maker.file = .named("a b.pdf")
        maker.file?.exported = ExportedMedia(.present, path: "media/group-1/1-a b.pdf")
        var renderer = MarkdownRenderer()
        #expect(renderer.text(of: maker.item).contains("](<../media/group-1/1-a%20b.pdf>)"))
    }

    @Test func `another format and a later version are refused`() throws {
        #expect(throws: FileError.self) { try ExportedLog(folder.path) }
        for line in [#"{"type":"chat"}"#, "no json", #"{"type":"chatLog","version":2,"program":"x"}"#, ""] {
            try FileSystem().replace(folder.appending("conversations.jsonl"), with: Array("\(line)\n".utf8))
            #expect(throws: FileError.self, "\(line)") { try ExportedLog(folder.path) }
        }
    }
}

/// Names of conversations, and what is searched.
struct SelectionTests {
    private let all: [Conversation] = [
        .made("contact-1", .contact, name: "Alice"), .made("contact-2", .contact, name: "alice"),
        .made("group-1", name: "Alice"), .made("notes-1", .notes, name: "notes"),
        .made("support-1", .support, name: "Alice: administrators"),
    ]

    @Test(arguments: [
        ("@alice", ["contact-1", "contact-2"]), ("#ALICE", ["group-1"]), ("*", ["notes-1"]),
        ("contact-2", ["contact-2"]), ("support-1", ["support-1"]),
        ("/^al/", ["contact-1", "contact-2", "group-1", "support-1"]),
        ("alice", ["contact-1", "contact-2", "group-1"]), ("bob", []), ("@", []),
    ]) func `a name finds what has it`(text: String, keys: [String]) throws {
        let selector = try #require(ConversationSelector(text))
        #expect(selector.matches(in: all).map(\.key) == keys)
    }

    @Test func `a broken expression is none, and neither is nothing`() {
        #expect(ConversationSelector("/(/") == nil)
        #expect(ConversationSelector("") == nil)
    }

    @Test(arguments: [
        ("harbour", "The Harbour at dusk", true), ("dusk harbour", "The Harbour at dusk", true),
        ("\"harbour at\"", "the harbour  at", false), ("\"harbour at\"", "THE HARBOUR AT", true),
        ("harbour -rain", "harbour in the rain", false), ("ÄRGER", "kein ärger", true),
        ("über", "ÜBER", true), ("a", "", false), ("-x", "x", false), ("[", "a [b]", true),
    ]) func `all words have to be there, in any case`(query: String, text: String, isFound: Bool) {
        #expect((TextQuery(query)?.matches(text) ?? false) == isFound)
    }
}
