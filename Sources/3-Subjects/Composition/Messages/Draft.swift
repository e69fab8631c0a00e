import ValiseChatSchema
import ValiseEncoding

/// An unfinished message as a document, so that it can be kept: a draft of an own format, JSON with a version.
///
/// What was under way when it was kept is not in it: sending, a live message, a recording that was not finished.
extension ComposeState {
    private static let draftVersion: Int64 = 1

    /// The message as one line of JSON.
    public var draft: String {
        var members = [
            JSONNode.Member("version", .number(String(Self.draftVersion))), .init("text", .text(message)),
            .init("previews", .text(linkPreviews.word)),
        ]
        members.add("preview", preview.node)
        members.add("context", context.node)
        members.add("mentions", mentions.isEmpty ? nil : JSONNode(mentions))
        members.add("links", links == LinkMemory() ? nil : links.node)
        return JSONNode.object(members).jsonText
    }

    /// A message that was kept.
    ///
    /// - Returns: nil for what is no draft, or one of a later version.
    public init?(draft text: String) {
        guard let node = JSONNode(parsing: text), node["version"]?.integerValue == Self.draftVersion,
            let message = node["text"]?.textValue,
            let previews = node["previews"]?.textValue.flatMap(LinkPreviewChoice.init),
            let preview = ComposePreview(node["preview"]), let context = ComposeContext(node["context"]),
            let mentions = Self.mentions(node["mentions"]), let links = LinkMemory(node["links"])
        else { return nil }
        // Its text is parsed when it is set, which an initializer would not do.
        var state = ComposeState(linkPreviews: previews)
        state.message = message
        state.preview = preview
        state.context = context
        state.mentions = mentions
        state.links = links
        if preview.isVoice { state.recording = .finished }
        self = state
    }

    fileprivate static func mentions(_ node: JSONNode?) -> [String: ComposeMember]? {
        guard let node else { return [:] }
        guard let members = node.objectValue else { return nil }
        var mentions: [String: ComposeMember] = [:]
        for member in members { mentions[member.key] = ComposeMember(member.value) }
        return mentions.count == members.count ? mentions : nil
    }
}

extension [JSONNode.Member] {
    fileprivate mutating func add(_ key: String, _ value: JSONNode?) {
        if let value { append(.init(key, value)) }
    }
}

extension JSONNode {
    fileprivate init(_ mentions: [String: ComposeMember]) {
        self = .object(mentions.sorted { $0.key < $1.key }.map { Member($0.key, $0.value.node) })
    }

    fileprivate init(_ number: some BinaryInteger) { self = .number(String(number)) }

    /// Times have fractions.
    fileprivate var doubleValue: Double? {
        if case .number(let text) = self { Double(text).flatMap { $0.isFinite ? $0 : nil } } else { nil }
    }
}

extension LinkPreviewChoice {
    fileprivate var word: String {
        switch self {
        case .undecided: "undecided"
        case .enabled: "enabled"
        case .disabled: "disabled"
        }
    }

    fileprivate init?(_ word: String) {
        guard let choice = [Self.undecided, .enabled, .disabled].first(where: { $0.word == word }) else {
            return nil
        }
        self = choice
    }
}

extension LinkMemory {
    fileprivate var node: JSONNode {
        var members: [JSONNode.Member] = []
        members.add("found", found.map { .text($0) })
        members.add("shown", shown.map { .text($0) })
        members.add("pending", pending.map { .text($0) })
        if !cancelled.isEmpty { members.add("cancelled", .array(cancelled.sorted().map { .text($0) })) }
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode?) {
        self.init()
        guard let node else { return }
        guard case .object = node else { return nil }
        found = node["found"]?.textValue
        shown = node["shown"]?.textValue
        pending = node["pending"]?.textValue
        cancelled = Set(node["cancelled"]?.arrayValue?.compactMap(\.textValue) ?? [])
    }
}

// MARK: What goes with it

extension ComposedFile {
    fileprivate var draftNode: JSONNode {
        var members = [JSONNode.Member("path", .text(path)), .init("name", .text(name))]
        members.add("size", size.map { JSONNode($0) })
        members.add("key", (encryption?.key).map { .text($0) })
        members.add("nonce", (encryption?.nonce).map { .text($0) })
        if isTemporary { members.add("temporary", .bool(true)) }
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode?) {
        guard let node, let path = node["path"]?.textValue, let name = node["name"]?.textValue else {
            return nil
        }
        var encryption: Encryption?
        if let key = node["key"]?.textValue, let nonce = node["nonce"]?.textValue {
            encryption = Encryption(key: key, nonce: nonce)
        }
        self.init(
            path: path, name: name, size: node["size"]?.integerValue, encryption: encryption,
            isTemporary: node["temporary"]?.boolValue ?? false)
    }
}

extension ComposePreview {
    /// Contents of messages have the form that they have everywhere.
    fileprivate var node: JSONNode? {
        switch self {
        case .none: return nil
        case .link(let preview):
            return .object([
                .init("link", preview.map { MessageContent.link("", preview: $0).fields } ?? .null)
            ])
        case .chatLink(let link): return .object([.init("chat", MessageContent.chat("", link: link).fields)])
        case .media(let media): return .object([.init("media", .array(media.map(\.node)))])
        case .voice(let file, let seconds):
            return .object([.init("voice", file.draftNode), .init("seconds", JSONNode(seconds))])
        case .file(let file): return .object([.init("file", file.draftNode)])
        }
    }

    fileprivate init?(_ node: JSONNode?) {
        guard let node else {
            self = .none
            return
        }
        if let link = node["link"] {
            if link == .null {
                self = .link(nil)
            } else if let preview = MessageContent(link)?.link {
                self = .link(preview)
            } else {
                return nil
            }
        } else if let link = node["chat"].flatMap({ MessageContent($0)?.chatLink }) {
            self = .chatLink(link)
        } else if let nodes = node["media"]?.arrayValue {
            let media = nodes.compactMap(AttachedMedia.init)
            guard media.count == nodes.count else { return nil }
            self = .media(media)
        } else if let file = ComposedFile(node["voice"]) {
            self = .voice(file, seconds: Int(clamping: node["seconds"]?.integerValue ?? 0))
        } else if let file = ComposedFile(node["file"]) {
            self = .file(file)
        } else {
            return nil
        }
    }
}

extension AttachedMedia {
    fileprivate var node: JSONNode {
        var members = [JSONNode.Member("preview", .text(preview))]
        members.add("seconds", seconds.map { JSONNode($0) })
        members.add("file", file?.draftNode)
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode) {
        guard let preview = node["preview"]?.textValue else { return nil }
        self.init(
            preview: preview, seconds: node["seconds"]?.integerValue.map { Int(clamping: $0) },
            file: ComposedFile(node["file"]))
    }
}

// MARK: What it is about

extension ComposeMember {
    fileprivate var node: JSONNode {
        var members = [JSONNode.Member("id", JSONNode(id)), .init("name", .text(name))]
        members.add("alias", alias.map { .text($0) })
        if standing != .current { members.add("standing", .text(standing == .invited ? "invited" : "gone")) }
        if isModerator { members.add("moderator", .bool(true)) }
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode) {
        guard let id = node["id"]?.integerValue, let name = node["name"]?.textValue else { return nil }
        let standings: [String?: Standing] = [nil: .current, "invited": .invited, "gone": .gone]
        guard let standing = standings[node["standing"]?.textValue] else { return nil }
        self.init(
            id: id, name: name, alias: node["alias"]?.textValue, standing: standing,
            isModerator: node["moderator"]?.boolValue ?? false)
    }
}

extension ComposeItem {
    fileprivate var node: JSONNode {
        var members = [
            JSONNode.Member("id", JSONNode(id)), .init("content", content.fields),
            .init("sent", .bool(isSent)),
            .init("time", .number("\(time)")),
        ]
        let marks = [("live", isLive), ("forwarded", isForwarded), ("deleted", isDeleted)]
        for (name, isSet) in marks where isSet { members.add(name, .bool(true)) }
        members.add("file", file?.draftNode)
        members.add("mentions", mentions.isEmpty ? nil : JSONNode(mentions))
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode?) {
        guard let node, let id = node["id"]?.integerValue,
            let content = node["content"].flatMap({ MessageContent($0) }),
            let isSent = node["sent"]?.boolValue, let time = node["time"]?.doubleValue,
            let mentions = ComposeState.mentions(node["mentions"])
        else { return nil }
        func has(_ name: String) -> Bool { node[name]?.boolValue ?? false }
        self.init(
            id: id, content: content, isSent: isSent, time: time, isLive: has("live"),
            isForwarded: has("forwarded"), isDeleted: has("deleted"), file: ComposedFile(node["file"]),
            mentions: mentions)
    }
}

extension ComposeChat {
    fileprivate var node: JSONNode {
        var members = [JSONNode.Member("kind", .text(kind.rawValue)), .init("id", JSONNode(id))]
        switch scope {
        case nil: break
        case .own: members.add("scope", .text("own"))
        case .member(let member): members.add("scope", JSONNode(member))
        }
        return .object(members)
    }

    fileprivate init?(_ node: JSONNode?) {
        guard let node, let kind = node["kind"]?.textValue.flatMap(Kind.init),
            let id = node["id"]?.integerValue
        else { return nil }
        let scope: Scope? =
            node["scope"]?.textValue == "own" ? .own : node["scope"]?.integerValue.map { .member($0) }
        self.init(kind, id: id, scope: scope)
    }
}

extension ComposeContext {
    fileprivate var node: JSONNode? {
        switch self {
        case .none: nil
        case .quoted(let item): .object([.init("reply", item.node)])
        case .editing(let item): .object([.init("edit", item.node)])
        case .forwarding(let items, let chat):
            .object([.init("forward", .array(items.map(\.node))), .init("from", chat.node)])
        case .reported(let item, let reason):
            .object([.init("report", item.node), .init("reason", .text(reason))])
        }
    }

    fileprivate init?(_ node: JSONNode?) {
        guard let node else {
            self = .none
            return
        }
        if let item = ComposeItem(node["reply"]) {
            self = .quoted(item)
        } else if let item = ComposeItem(node["edit"]) {
            self = .editing(item)
        } else if let nodes = node["forward"]?.arrayValue, let chat = ComposeChat(node["from"]) {
            let items = nodes.compactMap { ComposeItem($0) }
            guard items.count == nodes.count, !items.isEmpty else { return nil }
            self = .forwarding(items, from: chat)
        } else if let item = ComposeItem(node["report"]), let reason = node["reason"]?.textValue {
            self = .reported(item, reason: reason)
        } else {
            return nil
        }
    }
}
