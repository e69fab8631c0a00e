import ValiseChatSchema
package import ValiseEncoding

/// Writes conversations and items as lines of JSON: the canonical export, of which all others can be made
/// (Documentation/formats/conversations-jsonl.md).
package struct JSONLineWriter {
    /// The version of the format.
    package static let version: Int64 = 1

    private var line = JSONLineBuilder()

    package init() {}

    /// The first line of an export.
    /// - Parameters:
    ///   - program: whose account it is.
    ///   - time: when it was exported.
    ///   - redacted: what was kept back of it.
    package mutating func header(program: String, time: UTCTime, redacted: [String] = []) -> [UInt8] {
        build { line in
            line.field("type", "chatLog")
            line.field("version", Self.version)
            line.field("program", program)
            line.field("exportedAt", time.jsonText)
            guard !redacted.isEmpty else { return }
            line.key("redacted")
            line.beginArray()
            for word in redacted {
                line.next()
                line.text(word)
            }
            line.endArray()
        }
    }

    package mutating func line(of conversation: Conversation) -> [UInt8] {
        build { line in
            line.field("type", "chat")
            line.field("id", conversation.key)
            line.field("kind", conversation.kind.rawValue)
            line.field("name", conversation.name)
            line.field("localName", conversation.localName)
            line.field("fullName", conversation.fullName)
            line.field("about", conversation.about)
            line.field("picture", conversation.picture)
            line.field("profile", conversation.userName)
            line.field("profileRow", conversation.user)
            line.field("hidden", conversation.hiding?.rawValue)
            line.flag("markedUnread", conversation.isMarkedUnread)
            line.field("messageCount", conversation.items)
            line.field("unread", conversation.unread)
            line.field("first", conversation.first?.jsonText)
            line.field("last", conversation.last?.jsonText)
        }
    }

    /// - Parameters:
    ///   - item: of the conversation.
    ///   - conversation: its key.
    package mutating func line(of item: ConversationItem, in conversation: String) -> [UInt8] {
        build { line in
            line.field("type", "chatItem")
            line.field("chat", conversation)
            line.field("id", item.key)
            line.field("row", item.row)
            line.key("author")
            Self.write(item.author, to: &line)
            line.flag("sent", item.isSent)
            line.field("time", item.time)
            line.field("received", item.createdAt)
            line.field("kind", item.kind.rawValue)
            line.field("text", item.text)
            Self.writeContent(of: item, to: &line)
            Self.writeMarks(of: item, to: &line)
            Self.writeDetails(of: item, to: &line)
            if let file = item.file { Self.write(file, to: &line) }
            line.field("gone", item.gone)
        }
    }

    private mutating func build(_ body: (inout JSONLineBuilder) -> Void) -> [UInt8] {
        line.clear()
        line.beginObject()
        body(&line)
        line.endObject()
        line.endLine()
        return line.bytes
    }

    // MARK: Parts

    private static func write(_ participant: Participant, to line: inout JSONLineBuilder) {
        line.beginObject()
        line.field("id", participant.key)
        line.field("name", participant.name)
        line.endObject()
    }

    /// What is not understood is carried whole.
    private static func writeContent(of item: ConversationItem, to line: inout JSONLineBuilder) {
        if !item.hasValidContent || !line.field("content", json: item.storedContent) {
            line.field("storedContent", item.storedContent)
        }
        let sentence = item.message == nil ? EventText.sentence(of: item) : nil
        line.field("sentence", sentence)
    }

    private static func writeMarks(of item: ConversationItem, to line: inout JSONLineBuilder) {
        line.field("status", item.status)
        line.flag("edited", item.isEdited)
        line.flag("live", item.isLive)
        line.field("lifetime", item.lifetime)
        line.field("deletesAt", item.deletesAt)
        line.flag("proxy", item.usedProxy)
        line.flag("mentionsMe", item.mentionsUser)
        line.field("signature", item.signature)
        guard let deletion = item.deletion else { return }
        line.key("deleted")
        line.beginObject()
        line.field("kind", deletion.kind.rawValue)
        if let by = deletion.by {
            line.key("by")
            write(by, to: &line)
        }
        line.field("time", deletion.time)
        line.endObject()
    }

    private static func writeDetails(of item: ConversationItem, to line: inout JSONLineBuilder) {
        if let quote = item.quote { write(quote, to: &line) }
        if let forward = item.forward { write(forward, to: &line) }
        write("reactions", item.reactions, to: &line) { reaction, line in
            line.field("emoji", reaction.emoji)
            line.key("by")
            line.beginArray()
            for author in reaction.authors {
                line.next()
                write(author, to: &line)
            }
            line.endArray()
        }
        write("versions", item.versions, to: &line) { version, line in
            line.field("text", version.text)
            line.field("time", version.time)
        }
        write("mentions", item.mentions.sorted { $0.key < $1.key }, to: &line) { mention, line in
            line.field("text", mention.key)
            line.field("id", mention.value.key)
            line.field("name", mention.value.name)
        }
        write("receipts", item.receipts, to: &line) { receipt, line in
            line.field("id", receipt.member.key)
            line.field("name", receipt.member.name)
            line.field("status", receipt.status)
        }
    }

    /// An array of objects; none where it is empty.
    private static func write<Element>(
        _ key: StaticString, _ elements: [Element], to line: inout JSONLineBuilder,
        _ body: (Element, inout JSONLineBuilder) -> Void
    ) {
        guard !elements.isEmpty else { return }
        line.key(key)
        line.beginArray()
        for element in elements {
            line.next()
            line.beginObject()
            body(element, &line)
            line.endObject()
        }
        line.endArray()
    }

    private static func write(_ quote: ItemQuote, to line: inout JSONLineBuilder) {
        line.key("quote")
        line.beginObject()
        line.field("id", quote.key)
        if let author = quote.author {
            line.key("author")
            write(author, to: &line)
        }
        line.field("time", quote.sentAt)
        line.field("text", quote.text)
        if let stored = quote.storedContent { _ = line.field("content", json: stored) }
        line.endObject()
    }

    private static func write(_ forward: ItemForward, to line: inout JSONLineBuilder) {
        line.key("forward")
        line.beginObject()
        line.field("kind", forward.kind)
        line.field("name", forward.name)
        line.flag("wasSent", forward.wasSent == true)
        line.field("chat", forward.conversation)
        line.endObject()
    }

    private static func write(_ file: ItemFile, to line: inout JSONLineBuilder) {
        line.key("file")
        line.beginObject()
        line.field("row", file.row)
        line.field("name", file.name)
        line.field("size", file.size)
        line.field("status", file.status)
        line.flag("encrypted", file.isEncrypted)
        line.field("state", file.exported?.state.rawValue)
        line.field("path", file.exported?.path)
        line.endObject()
    }
}

extension UTCTime {
    /// As RFC 3339 has it.
    var jsonText: String { ItemTime(text).jsonText }
}
