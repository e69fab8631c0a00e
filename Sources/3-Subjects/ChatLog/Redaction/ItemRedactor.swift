import ValiseChatSchema
import ValiseEncoding

/// Redacts conversations and their items, field by field.
struct ItemRedactor {
    let hides: Set<ChatRedaction.Category>
    let names: Pseudonyms
    let texts: TextRedactor
    let identifiers = IdentifierRedactor()
    private let contents: ContentRedactor

    /// - Parameters:
    ///   - redaction: what is kept back.
    ///   - names: those of the whole source; none where names stay.
    init(_ redaction: ChatRedaction, _ names: Pseudonyms) {
        hides = redaction.categories
        self.names = names
        texts = TextRedactor(redaction, names.replacements)
        contents = ContentRedactor(hides, texts, names, identifiers)
    }

    /// Whether names become pseudonyms.
    var hidesNames: Bool { hides.contains(.names) }

    // MARK: Names

    /// A name becomes its pseudonym, or is redacted as a text.
    func name(_ name: String) -> String {
        guard hidesNames else { return texts.redacted(name) }
        return names[name] ?? (name.isEmpty ? "" : ChatRedaction.removed)
    }

    func participant(_ participant: Participant) -> Participant {
        guard hidesNames else {
            return Participant(key: participant.key, name: texts.redacted(participant.name))
        }
        let name = participant.hasName ? self.name(participant.name) : participant.name
        return Participant(key: key(of: participant), name: name)
    }

    private func key(of participant: Participant) -> String {
        switch participant.key {
        case "", Participant.selfKey, Participant.contactKey, Participant.groupKey: participant.key
        case let member: identifiers.redacted(member)
        }
    }

    // MARK: Items

    func item(_ item: ConversationItem) -> ConversationItem {
        let mentions = MentionNames(item.mentions, self)
        let node = JSONNode(parsing: item.storedContent).map {
            contents.redacted($0, isKnown: Self.isKnown(item.content), mentions: mentions.finder)
        }
        let content = ItemContent(node ?? .null)
        let redacted = ConversationItem(
            key: hidesNames ? identifiers.redacted(item: item.key) : item.key, row: item.row,
            isSent: item.isSent, author: participant(item.author), time: item.time,
            createdAt: item.createdAt, content: content,
            // What is no JSON cannot be redacted.
            storedContent: node?.jsonText ?? "",
            text: text(of: item, content, mentions.finder), quote: item.quote.map(quote),
            forward: item.forward.map(forward), reactions: item.reactions.map(reaction),
            versions: item.versions.map {
                ItemVersion(
                    text: text($0.text, messageType: item.message?.type, mentions.finder),
                    time: $0.time)
            }, mentions: mentions.redacted, deletion: item.deletion.map(deletion), isEdited: item.isEdited,
            isLive: item.isLive, lifetime: item.lifetime, deletesAt: item.deletesAt,
            status: item.status.map(status),
            receipts: item.receipts.map {
                ItemReceipt(member: participant($0.member), status: status($0.status))
            },
            usedProxy: item.usedProxy, mentionsUser: item.mentionsUser, signature: item.signature,
            file: item.file.map(file), gone: item.gone)
        return withSentence(redacted)
    }

    /// What an event says follows from its redacted content.
    private func withSentence(_ item: ConversationItem) -> ConversationItem {
        guard item.message == nil, item.content.kind != nil else { return item }
        return item.with(text: EventText.sentence(of: item))
    }

    /// The words that come before the text of a voice message or a report are the program's.
    private func text(of item: ConversationItem, _ content: ItemContent, _ mentions: NameFinder?) -> String {
        if let before = item.message, let after = content.message, before.readableText == item.text {
            return after.readableText
        }
        return self.text(item.text, messageType: item.message?.type, mentions)
    }

    private static func isKnown(_ content: ItemContent) -> Bool {
        guard let message = content.message else { return content.kind != nil }
        return message.isOrdinary || message.type == "chat"
    }

    // MARK: Parts

    private func quote(_ quote: ItemQuote) -> ItemQuote {
        let node = quote.content.map {
            contents.redacted($0.fields, isKnown: $0.isOrdinary || $0.type == "chat", mentions: nil)
        }
        let content = node.flatMap { MessageContent($0) }
        let text = quote.content?.readableText == quote.text ? content?.readableText : nil
        return ItemQuote(
            key: hidesNames ? quote.key.map(identifiers.redacted(item:)) : quote.key,
            author: quote.author.map(participant), sentAt: quote.sentAt, content: content,
            storedContent: node?.jsonText,
            text: text ?? self.text(quote.text, messageType: quote.content?.type, nil))
    }

    private func forward(_ forward: ItemForward) -> ItemForward {
        ItemForward(
            kind: forward.kind, name: forward.name.map(name), wasSent: forward.wasSent,
            conversation: hidesNames
                ? forward.conversation.map(identifiers.redacted(conversation:)) : forward.conversation)
    }

    private func reaction(_ reaction: ItemReaction) -> ItemReaction {
        ItemReaction(emoji: reaction.emoji, authors: reaction.authors.map(participant))
    }

    private func deletion(_ deletion: ItemDeletion) -> ItemDeletion {
        ItemDeletion(kind: deletion.kind, by: deletion.by.map(participant), time: deletion.time)
    }

    /// Errors name relays, and may have any text behind their first word.
    func status(_ status: String) -> String {
        guard let space = status.firstIndex(of: " ") else { return status }
        let word = status[..<space]
        guard word.hasSuffix("_error") || word.hasSuffix("_warning") else { return status }
        return "\(word) \(texts.redacted(String(status[status.index(after: space)...])))"
    }
}
