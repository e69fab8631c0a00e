import ValiseChatSchema
import ValiseEncoding
import ValiseSessionStore

/// Makes the items of a message: one for each of its parts, the first of which has all that is said of the message.
struct SessionItemBuilder {
    private let authors: SessionAuthors
    private let events: SessionEvents

    init(_ authors: SessionAuthors) {
        self.authors = authors
        events = SessionEvents(authors)
    }

    func items(of message: SessionMessage) -> [ConversationItem] {
        let first = head(of: message)
        guard Self.isMessage(message) else { return [event(first, message)] }
        let named = message.body.map { authors.named($0) }
        return SessionParts(message, text: named?.text).list.enumerated().map { index, part in
            let mentions = named?.mentions.filter { part.content.text.contains($0.key) } ?? [:]
            return item(index == 0 ? first : Self.further(first, index), part, message, index, mentions)
        }
    }

    /// The texts of its items, without the items.
    func texts(of message: SessionMessage) -> [String] {
        guard Self.isMessage(message) else {
            return [event(head(of: message), message, storesContent: false).text]
        }
        let named = message.body.map { authors.named($0).text }
        return SessionParts(message, text: named).list.map(\.content.readableText)
    }

    /// Whether something of a message is left, or there was one at all.
    private static func isMessage(_ message: SessionMessage) -> Bool {
        switch message.content {
        case .message: true
        case .deleted: message.body != nil || !message.attachments.isEmpty
        case .communityInvitation(_, let address): address != nil
        default: false
        }
    }

    // MARK: Contents

    private func item(
        _ head: ConversationItem, _ part: SessionParts.Part, _ message: SessionMessage, _ index: Int,
        _ mentions: [String: Participant]
    ) -> ConversationItem {
        let constructor = message.isSent ? "sndMsgContent" : "rcvMsgContent"
        let record =
            index == 0
            ? SessionRecord.node(of: message, part.attachment)
            : SessionRecord.node(ofPart: index, part.attachment)
        let node = JSONNode.object([
            .init(
                constructor,
                .object([.init("msgContent", part.content.fields), .init(SessionRecord.key, record)]))
        ])
        let file = part.attachment.map { SessionAttachmentFile.file($0, part.place, of: message) }
        return head.with(node, text: part.content.readableText, file: file, mentions: mentions)
    }

    private func event(
        _ head: ConversationItem, _ message: SessionMessage, storesContent: Bool = true
    ) -> ConversationItem {
        let (node, text) = events.content(of: message)
        let item = head.with(node, text: text, file: nil, mentions: [:], storesContent: storesContent)
        // What the program says of a known event is what can be read.
        return item.kind == .unreadable ? item : item.with(text: EventText.sentence(of: item))
    }

    // MARK: What is said of a message

    /// Without a content.
    private func head(of message: SessionMessage) -> ConversationItem {
        let author = authors.author(of: message)
        return ConversationItem(
            key: key(of: message), row: SessionLogKey.number(of: message), isSent: message.isSent,
            author: author,
            time: Self.time(message.time), createdAt: Self.time(message.receivedAt ?? message.time),
            content: ItemContent(.null), storedContent: "", text: "", quote: message.quote.map(quote),
            forward: nil, reactions: message.reactions.map(reaction), versions: [], mentions: [:],
            deletion: Self.deletion(of: message), isEdited: false, isLive: false,
            lifetime: message.expiry?.lifetime, deletesAt: message.expiry?.expiresAt.map(Self.time),
            status: Self.status(of: message), receipts: [], usedProxy: false,
            mentionsUser: message.body.map { authors.mentions(in: $0).values.contains(where: \.isSelf) }
                ?? false,
            signature: nil, file: nil, gone: nil)
    }

    private static func further(_ first: ConversationItem, _ index: Int) -> ConversationItem {
        ConversationItem(
            key: "\(first.key).\(index + 1)", row: first.row, isSent: first.isSent, author: first.author,
            time: first.time, createdAt: first.createdAt, content: first.content, storedContent: "", text: "",
            quote: nil, forward: nil, reactions: [], versions: [], mentions: [:], deletion: first.deletion,
            isEdited: false, isLive: false, lifetime: first.lifetime, deletesAt: first.deletesAt,
            status: first.status, receipts: [], usedProxy: false, mentionsUser: false, signature: nil,
            file: nil,
            gone: nil)
    }

    /// Events of the same moment would have the same key, and nobody quotes them.
    private func key(of message: SessionMessage) -> String {
        let row = "row-\(SessionLogKey.number(of: message))"
        switch message.content {
        case .message, .deleted, .communityInvitation, .unreadable:
            return SessionLogKey.text(sentAt: message.sentAt, author: message.author) ?? row
        default: return row
        }
    }

    private static func time(_ time: UTCTime?) -> ItemTime { time.map { ItemTime($0) } ?? ItemTime("") }

    private func quote(_ quote: SessionQuote) -> ItemQuote {
        let text = quote.body.map { authors.named($0).text }
        let content = text.map { MessageContent.text($0) }
        return ItemQuote(
            key: SessionLogKey.text(sentAt: quote.sentAt, author: quote.author),
            author: quote.author.map { authors.participant($0) }, sentAt: quote.sentAt.map(Self.time),
            content: content, storedContent: content?.json, text: text ?? "")
    }

    private func reaction(_ reaction: SessionReaction) -> ItemReaction {
        ItemReaction(emoji: reaction.emoji, authors: reaction.authors.map { authors.participant($0) })
    }

    private static func deletion(of message: SessionMessage) -> ItemDeletion? {
        guard message.content == .deleted, isMessage(message) else { return nil }
        return ItemDeletion(kind: .deleted, by: nil, time: nil)
    }

    /// In the words of the model's own program.
    private static func status(of message: SessionMessage) -> String? {
        guard message.isSent else { return message.isUnread.map { $0 ? "rcv_new" : "rcv_read" } }
        return switch message.delivery {
        case .sending: "snd_new"
        case .sent: "snd_sent complete"
        case .failed(let reason): "snd_error other \(reason ?? "")"
        case .read: "snd_rcvd ok complete"
        case .other(let word): word
        case nil: nil
        }
    }
}

extension ConversationItem {
    /// The same with a content.
    /// - Parameter storesContent: whether it has it as text too, for who writes it.
    fileprivate func with(
        _ node: JSONNode, text: String, file: ItemFile?, mentions: [String: Participant],
        storesContent: Bool = true
    ) -> ConversationItem {
        ConversationItem(
            key: key, row: row, isSent: isSent, author: author, time: time, createdAt: createdAt,
            content: ItemContent(node), storedContent: storesContent ? node.jsonText : "",
            text: text, quote: quote,
            forward: forward,
            reactions: reactions, versions: versions, mentions: mentions, deletion: deletion,
            isEdited: isEdited, isLive: isLive, lifetime: lifetime, deletesAt: deletesAt, status: status,
            receipts: receipts, usedProxy: usedProxy, mentionsUser: mentionsUser, signature: signature,
            file: file, gone: gone)
    }
}
