import ValiseChatSchema
import ValiseEncoding

extension ConversationItem {
    /// Nil for a line that is no item.
    init?(_ node: JSONNode) {
        guard node["type"]?.textValue == "chatItem", let key = node["id"]?.textValue,
            let row = node["row"]?.integerValue, let author = Participant(node["author"]),
            let time = node["time"]?.textValue
        else { return nil }
        let stored = node["content"].map(\.jsonText) ?? node["storedContent"]?.textValue ?? ""
        let text = node["text"]?.textValue ?? ""
        self.init(
            key: key, row: row, isSent: node.isSet("sent"), author: author, time: ItemTime(time),
            createdAt: ItemTime(node["received"]?.textValue ?? time),
            content: node["content"].map { ItemContent($0) } ?? ItemContent(parsing: stored),
            storedContent: stored, text: text, quote: node["quote"].map { ItemQuote($0) },
            forward: node["forward"].flatMap { ItemForward($0) },
            reactions: node.elements("reactions").map { ItemReaction($0) },
            versions: node.elements("versions").map { ItemVersion($0) },
            mentions: Self.mentions(node.elements("mentions")),
            deletion: node["deleted"].flatMap { ItemDeletion($0) }, isEdited: node.isSet("edited"),
            isLive: node.isSet("live"), lifetime: node["lifetime"]?.integerValue,
            deletesAt: node.time("deletesAt"), status: node["status"]?.textValue,
            receipts: node.elements("receipts").compactMap { ItemReceipt($0) },
            usedProxy: node.isSet("proxy"), mentionsUser: node.isSet("mentionsMe"),
            signature: node["signature"]?.textValue, file: node["file"].map { ItemFile($0) },
            gone: node["gone"]?.textValue)
    }

    private static func mentions(_ nodes: [JSONNode]) -> [String: Participant] {
        var mentions: [String: Participant] = [:]
        for node in nodes {
            guard let text = node["text"]?.textValue, let member = Participant(node) else { continue }
            mentions[text] = member
        }
        return mentions
    }
}

extension JSONNode {
    fileprivate func isSet(_ key: String) -> Bool { self[key]?.boolValue ?? false }
    fileprivate func elements(_ key: String) -> [JSONNode] { self[key]?.arrayValue ?? [] }
    fileprivate func time(_ key: String) -> ItemTime? { self[key]?.textValue.map { ItemTime($0) } }
}

extension Participant {
    fileprivate init?(_ node: JSONNode?) {
        guard let node, let key = node["id"]?.textValue else { return nil }
        self.init(key: key, name: node["name"]?.textValue ?? "")
    }
}

extension ItemQuote {
    fileprivate init(_ node: JSONNode) {
        key = node["id"]?.textValue
        author = Participant(node["author"])
        sentAt = node.time("time")
        content = node["content"].flatMap { MessageContent($0) }
        storedContent = node["content"]?.jsonText
        text = node["text"]?.textValue ?? ""
    }
}

extension ItemForward {
    fileprivate init?(_ node: JSONNode) {
        guard let kind = node["kind"]?.textValue else { return nil }
        self.kind = kind
        name = node["name"]?.textValue
        wasSent = node["wasSent"]?.boolValue
        conversation = node["chat"]?.textValue
    }
}

extension ItemReaction {
    fileprivate init(_ node: JSONNode) {
        emoji = node["emoji"]?.textValue ?? "?"
        authors = node.elements("by").compactMap { Participant($0) }
    }
}

extension ItemVersion {
    fileprivate init(_ node: JSONNode) {
        text = node["text"]?.textValue ?? ""
        time = node.time("time") ?? ItemTime("")
    }
}

extension ItemReceipt {
    fileprivate init?(_ node: JSONNode) {
        guard let member = Participant(node), let status = node["status"]?.textValue else { return nil }
        self.member = member
        self.status = status
    }
}

extension ItemDeletion {
    fileprivate init?(_ node: JSONNode) {
        guard let kind = node["kind"]?.textValue.flatMap(Kind.init) else { return nil }
        self.kind = kind
        by = Participant(node["by"])
        time = node.time("time")
    }
}

extension ItemFile {
    fileprivate init(_ node: JSONNode) {
        row = node["row"]?.integerValue ?? 0
        name = node["name"]?.textValue ?? ""
        path = nil
        size = node["size"]?.integerValue
        status = node["status"]?.textValue
        isEncrypted = node.isSet("encrypted")
        exported = ExportedMedia(node)
    }
}

extension ExportedMedia {
    fileprivate init?(_ node: JSONNode) {
        guard let state = node["state"]?.textValue.flatMap(State.init) else { return nil }
        self.init(state, path: node["path"]?.textValue)
    }
}

extension Conversation {
    /// Nil for a line that is no conversation.
    init?(_ node: JSONNode) {
        guard node["type"]?.textValue == "chat", let key = node["id"]?.textValue,
            let kind = node["kind"]?.textValue.flatMap(Kind.init), let name = node["name"]?.textValue
        else { return nil }
        self.init(
            key: key, kind: kind, user: node["profileRow"]?.integerValue ?? 0,
            userName: node["profile"]?.textValue ?? "", name: name,
            localName: node["localName"]?.textValue ?? name, fullName: node["fullName"]?.textValue,
            about: node["about"]?.textValue, picture: node["picture"]?.textValue,
            hiding: node["hidden"]?.textValue.flatMap(Hiding.init),
            isMarkedUnread: node.isSet("markedUnread"), items: node["messageCount"]?.integerValue ?? 0,
            unread: node["unread"]?.integerValue ?? 0, first: node.time("first")?.value,
            last: node.time("last")?.value)
    }
}
