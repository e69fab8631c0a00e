import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

@testable import ValiseChatLog

/// Files that were written, by their paths.
final class MemorySink: PageSink {
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var twice: [String] = []

    func write(_ path: String, _ bytes: [UInt8]) {
        if files.updateValue(bytes, forKey: path) != nil { twice.append(path) }
    }

    func text(_ path: String) -> String { String(decoding: files[path] ?? [], as: UTF8.self) }

    /// The pages by their paths.
    var pages: [String: String] {
        files.keys.filter { $0.hasSuffix(".html") }.reduce(into: [:]) { $0[$1] = text($1) }
    }
}

/// Conversations in memory.
struct MemorySource: ConversationSource {
    var content: [(conversation: Conversation, items: [ConversationItem])]
    var program: String { "simplex" }

    func users() -> [LogUser] { [LogUser(id: 1, name: "Dana", isActive: true, isHidden: false)] }

    func conversations(includesHidden: Bool, damaged: (DatabaseError) throws -> Void) -> [Conversation] {
        content.map(\.conversation)
    }

    func forEachItem(
        of conversation: Conversation, newest: Int64?, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        for item in content.first(where: { $0.conversation.key == conversation.key })?.items ?? [] {
            try body(item)
        }
    }

    /// All of it as pages.
    func export(
        split: PageSplit = PageSplit(), own: [String: [UInt8]] = [:],
        media: @escaping (ItemFile) throws -> PageMedia? = { _ in nil }
    ) throws -> MemorySink {
        let sink = MemorySink()
        var options = HTMLOptions(templates: try PageTemplates(own: own), offset: { _ in 0 })
        options.split = split
        var export = HTMLExport(options, sink: sink, spill: MemorySpill(), media: media)
        try export.write(content.map(\.conversation), of: self, damaged: { throw $0 })
        try export.finish()
        return sink
    }
}

extension Conversation {
    static func made(
        _ key: String, _ kind: Kind = .group, name: String = "Garden", items: Int = 0
    ) -> Conversation {
        Conversation(
            key: key, kind: kind, user: 1, userName: "Dana", name: name, localName: name, fullName: nil,
            about: nil, picture: nil, hiding: nil, isMarkedUnread: false, items: Int64(items), unread: 0,
            first: nil,
            last: nil)
    }
}

extension Participant {
    static let dana = Participant(key: "me", name: "Dana")
    static let kim = Participant(key: "a2lt", name: "Kim")
}

/// An item, of which a test sets what it is about.
struct ItemMaker {
    var key = "k"
    var author = Participant.kim
    var time = "2025-03-01 10:00:00"
    var type = "text"
    /// Further fields of the message, with a comma before.
    var more = ""
    var text = ""
    var quote: ItemQuote?
    var forward: ItemForward?
    var reactions: [ItemReaction] = []
    var versions: [ItemVersion] = []
    var mentions: [String: Participant] = [:]
    var deletion: ItemDeletion?
    var file: ItemFile?
    /// In place of a message.
    var content: String?

    var item: ConversationItem {
        let quoted = (try? JSONText.encode(text)) ?? "\"\""
        let message = #"{"rcvMsgContent":{"msgContent":{"type":"\#(type)","text":\#(quoted)\#(more)}}}"#
        let stored = content ?? message
        return ConversationItem(
            key: key, row: 1, isSent: author.isSelf, author: author, time: ItemTime(time),
            createdAt: ItemTime(time), content: ItemContent(parsing: stored), storedContent: stored,
            text: text,
            quote: quote, forward: forward, reactions: reactions, versions: versions, mentions: mentions,
            deletion: deletion, isEdited: versions.count > 1, isLive: false, lifetime: nil, deletesAt: nil,
            status: author.isSelf ? "snd_rcvd ok complete" : "rcv_read", receipts: [], usedProxy: false,
            mentionsUser: false, signature: nil, file: file)
    }
}

extension ItemFile {
    static func named(_ name: String) -> ItemFile {
        ItemFile(row: 1, name: name, path: name, size: 1000, status: "rcv_complete", isEncrypted: false)
    }
}
