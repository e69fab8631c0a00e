import ValiseChatSchema
package import ValiseEncoding

extension ComposedMessage {
    /// The object on one line.
    public var json: String { node.jsonText }

    package var node: JSONNode {
        var members: [JSONNode.Member] = []
        if let file { members.append(.init("fileSource", file.node)) }
        if case .item(let row)? = quote { members.append(.init("quotedItemId", .number(String(row)))) }
        members.append(.init("msgContent", content.fields))
        members.append(.init("mentions", JSONNode(mentions)))
        return .object(members)
    }
}

extension UpdatedMessage {
    /// The object on one line.
    public var json: String { node.jsonText }

    package var node: JSONNode {
        .object([.init("msgContent", content.fields), .init("mentions", JSONNode(mentions))])
    }
}

extension ComposedFile {
    fileprivate var node: JSONNode {
        var members = [JSONNode.Member("filePath", .text(path))]
        if let encryption {
            members.append(
                .init(
                    "cryptoArgs",
                    .object([
                        .init("fileKey", .text(encryption.key)), .init("fileNonce", .text(encryption.nonce)),
                    ])))
        }
        return .object(members)
    }
}

extension JSONNode {
    fileprivate init(_ mentions: [String: Int64]) {
        self = .object(
            mentions.sorted { $0.key < $1.key }.map { Member($0.key, .number(String($0.value))) })
    }
}

extension OutgoingMessage {
    /// The commands of the terminal program and of its WebSocket API that send messages, in this order. New messages that
    /// follow each other go in one.
    ///
    /// A message that answers what is forwarded just before has no number of an item yet.
    ///
    /// - Parameters:
    ///   - messages: of one composition.
    ///   - chat: where they go.
    ///   - lifetime: after how many seconds they go once they were read; nil for never.
    public static func commands(
        _ messages: [OutgoingMessage], in chat: ComposeChat, lifetime: Int? = nil
    ) -> [String] {
        let timed = lifetime.map { " ttl=\($0)" } ?? ""
        var commands: [String] = []
        var pending: [ComposedMessage] = []
        var isLive = false
        func flush() {
            guard !pending.isEmpty else { return }
            let list = JSONNode.array(pending.map(\.node)).jsonText
            commands.append("/_send \(chat.reference)\(isLive ? " live=on" : "")\(timed) json \(list)")
            pending = []
        }
        for message in messages {
            if case .new(let composed, let live) = message {
                if live != isLive { flush() }
                isLive = live
                pending.append(composed)
                continue
            }
            flush()
            commands.append(message.command(in: chat, timed: timed))
        }
        flush()
        return commands
    }

    private func command(in chat: ComposeChat, timed: String) -> String {
        switch self {
        case .new(let message, let isLive):
            "/_send \(chat.reference)\(isLive ? " live=on" : "")\(timed) json [\(message.json)]"
        case .update(let message, let isLive):
            "/_update item \(chat.reference) \(message.item)\(isLive ? " live=on" : "") json \(message.json)"
        case .forward(let items, let source):
            "/_forward \(chat.reference) \(source.reference) \(items.map(String.init).joined(separator: ","))\(timed)"
        case .report(let item, let reason, let text):
            "/_report #\(chat.id) \(item) reason=\(reason)\(text.isEmpty ? "" : " \(text)")"
        }
    }
}
