import ValiseChatSchema
import ValiseEncoding
import ValiseMediaRules

extension ComposeState {
    /// What would be sent now. It is not empty where the message can be sent.
    ///
    /// - Parameters:
    ///   - policy: what the chat allows.
    ///   - splits: whether a text that is too large becomes several messages, between sentences where it can be.
    public func composedMessages(_ policy: ComposePolicy, splits: Bool = false) -> [OutgoingMessage] {
        switch context {
        case .forwarding(let items, let chat):
            let forwarded = OutgoingMessage.forward(items: items.map(\.id), from: chat)
            guard !hasBlankMessage else { return [forwarded] }
            let comment = ComposedMessage(
                content: .text(message), file: nil, quote: .lastForwarded, mentions: memberRows(in: message))
            return [forwarded, .new(comment, isLive: false)]
        case .reported(let item, let reason):
            return [.report(item: item.id, reason: reason, text: message)]
        case .editing(let item):
            return [.update(edited(item), isLive: false)]
        case .none, .quoted:
            if let item = live?.item {
                return [.update(updatedMessage(text: message, of: item), isLive: false)]
            }
            guard isSendEnabled else { return [] }
            return newMessages(text: message, policy: splits ? policy : nil).map { .new($0, isLive: false) }
        }
    }

    /// Whether an item is edited and nothing about it has changed.
    public var isUnchangedEdit: Bool {
        guard case .editing(let item) = context, !item.isLive else { return false }
        let edited = edited(item)
        return edited.content == item.content && edited.mentions == item.mentions.mapValues(\.id)
    }

    /// The kind of the message and its media stay; only text becomes a link and back.
    private func edited(_ item: ComposeItem) -> UpdatedMessage {
        let content =
            switch item.content.type {
            // What it was may not be what would be made of it: a preview of a page that the text names in other words.
            case _ where message == item.typedText && preview == item.preview: item.content
            case "text", "link": textContent(message)
            case "chat": newContents(text: message).last?.content ?? item.content
            default: item.content.with(text: message)
            }
        return UpdatedMessage(item: item.id, content: content, mentions: memberRows(in: message))
    }

    /// Another text of what was sent live.
    func updatedMessage(text: String, of item: Int64) -> UpdatedMessage {
        let content = newContents(text: text).last?.content ?? .text(text)
        return UpdatedMessage(item: item, content: content, mentions: memberRows(in: text))
    }

    /// New messages with a text; the quote is on the last one, and on the first one of a text that is split.
    ///
    /// - Parameter policy: nil where a text stays whole.
    func newMessages(text: String, policy: ComposePolicy? = nil) -> [ComposedMessage] {
        var quote: ComposedMessage.Quote?
        if case .quoted(let item) = context { quote = .item(item.id) }
        if let policy, preview.isNone || preview.isLink {
            return splitMessages(text, quote: quote, policy: policy)
        }
        let contents = newContents(text: text)
        return contents.enumerated().map { number, part in
            let isLast = number == contents.count - 1
            return ComposedMessage(
                content: part.content, file: part.file, quote: isLast ? quote : nil,
                mentions: isLast ? memberRows(in: text) : [:])
        }
    }

    private func splitMessages(
        _ text: String, quote: ComposedMessage.Quote?, policy: ComposePolicy
    ) -> [ComposedMessage] {
        let whole = ComposedMessage(
            content: textContent(text), file: nil, quote: quote, mentions: memberRows(in: text))
        guard refusal(of: .new(whole, isLive: false), policy) != nil else { return [whole] }
        let empty = ComposedMessage(
            content: textContent(""), file: nil, quote: quote, mentions: memberRows(in: text))
        let overhead = WireSize.json(of: .new(empty, isLive: false), answering: quotedItem)
        let limit = policy.compresses ? MessageLimits.compressedWireBytes : MessageLimits.wireBytes
        let pieces = TextSplit.pieces(of: text, bytes: max(limit - overhead, 1))
        return pieces.enumerated().map { number, piece in
            ComposedMessage(
                content: textContent(piece, parsed: FormattedText(piece)), file: nil,
                quote: number == 0 ? quote : nil,
                mentions: memberRows(in: piece))
        }
    }

    /// The contents of the messages that an attachment makes.
    private func newContents(text: String) -> [(content: MessageContent, file: ComposedFile?)] {
        switch preview {
        case .none, .link: [(textContent(text), nil)]
        case .chatLink(let link):
            [
                (
                    .chat(
                        [text, link.link ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"), link: link),
                    nil
                )
            ]
        case .media(let media):
            media.enumerated().map { number, medium in
                (medium.content(text: number == media.count - 1 ? text : ""), medium.file)
            }
        case .voice(let file, let seconds): [(.voice(text, seconds: seconds), file)]
        case .file(let file): [(.file(text), file)]
        }
    }

    /// A link only while it is still the first one.
    ///
    /// - Parameter parsed: where the link is looked for; nil for the whole message.
    private func textContent(_ text: String, parsed: FormattedText? = nil) -> MessageContent {
        guard case .link(let preview?) = preview, let shown = links.shown,
            (parsed ?? parsedMessage).firstWebLink(without: links.cancelled) == shown
        else { return .text(text) }
        return .link(text.trimmed, preview: preview)
    }

    private func memberRows(in text: String) -> [String: Int64] {
        guard !mentions.isEmpty else { return [:] }
        let names = Set(FormattedText(text).mentionNames)
        return mentions.filter { names.contains($0.key) }.mapValues(\.id)
    }

    var quotedItem: ComposeItem? { if case .quoted(let item) = context { item } else { nil } }

    // MARK: Sizes

    /// Why messages are too large, without being split.
    func sizeRefusals(_ policy: ComposePolicy) -> [ComposeRefusal] {
        composedMessages(policy).compactMap { refusal(of: $0, policy) }
    }

    private func refusal(of message: OutgoingMessage, _ policy: ComposePolicy) -> ComposeRefusal? {
        WireSize(of: message, answering: quotedItem).refusal(policy)
    }
}

extension AttachedMedia {
    fileprivate func content(text: String) -> MessageContent {
        seconds.map { .video(text, preview: preview, seconds: $0) } ?? .image(text, preview: preview)
    }
}
