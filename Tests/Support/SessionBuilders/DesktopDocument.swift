package import ValiseEncoding

/// The JSON document of a message of Desktop.
package enum DesktopDocument {
    package static func isEvent(_ kind: StoryMessage.Kind) -> Bool {
        switch kind {
        case .deleted, .lifetimeOn, .lifetimeOff, .group, .call, .captured, .accepted, .invitation, .unknown:
            true
        default: false
        }
    }

    /// What stands for its kind; an unknown one is none that the sheet names.
    package static func type(_ message: StoryMessage) -> String {
        message.kind == .unknown ? "verified-change" : message.isSent ? "outgoing" : "incoming"
    }

    /// When it disappears, in milliseconds since 1970.
    package static func end(_ message: StoryMessage) -> Int64? {
        guard let lifetime = message.lifetime, let start = message.expiryStart else { return nil }
        return start + lifetime * 1000
    }

    private static func number(_ value: some BinaryInteger) -> JSONNode { .number(String(value)) }

    package static func node(of message: StoryMessage) -> JSONNode {
        var members: [JSONNode.Member] = [
            .init("id", .text(message.id)), .init("conversationId", .text(message.chat)),
            .init("source", .text(message.author)),
            .init("type", .text(type(message))),
            .init("sent_at", number(message.sentAt)), .init("received_at", number(message.receivedAt)),
            .init("unread", number(message.isUnread ? 1 : 0)), .init("schemaVersion", number(4)),
        ]
        if let body = message.body, !isEvent(message.kind) { members.append(.init("body", .text(body))) }
        if let hash = message.hash { members.append(.init("messageHash", .text(hash))) }
        if let id = message.communityNumber {
            members.append(.init("serverId", number(id)))
            members.append(.init("serverTimestamp", number(message.sentAt)))
        }
        if let lifetime = message.lifetime {
            members.append(.init("expireTimer", number(lifetime)))
            if let start = message.expiryStart {
                members.append(.init("expirationStartTimestamp", number(start)))
            }
            if let end = end(message) { members.append(.init("expires_at", number(end))) }
        }
        members += parts(of: message) + event(message)
        if message.isSent { members += delivery(message) }
        return .object(members)
    }

    private static func delivery(_ message: StoryMessage) -> [JSONNode.Member] {
        switch message.kind {
        case .failed: [.init("errors", .text("no connection"))]
        case .read: [.init("sent", .bool(true)), .init("read_by", .array([.text(message.chat)]))]
        case .waiting: []
        default: [.init("sent", .bool(true))]
        }
    }

    private static func event(_ message: StoryMessage) -> [JSONNode.Member] {
        switch message.kind {
        case .deleted: [.init("isDeleted", .bool(true))]
        case .lifetimeOn:
            [.init("expirationTimerUpdate", .object([.init("expireTimer", number(3600))]))]
        case .lifetimeOff: [.init("expirationTimerUpdate", .object([.init("expireTimer", number(0))]))]
        case .group: [.init("group_update", JSONNode(parsing: message.body ?? "{}") ?? .empty)]
        case .call: [.init("callNotificationType", .text(message.body ?? ""))]
        case .captured: [.init("dataExtractionNotification", .object([.init("type", number(1))]))]
        case .accepted: [.init("messageRequestResponse", .object([.init("isApproved", .bool(true))]))]
        case .invitation:
            [
                .init(
                    "groupInvitation",
                    .object([
                        .init("name", .text("Room")), .init("url", .text("https://open.example.org/room")),
                    ]))
            ]
        default: []
        }
    }

    private static func parts(of message: StoryMessage) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        if !message.files.isEmpty {
            members.append(.init("attachments", .array(message.files.map(attachment))))
        }
        if let quote = message.quote {
            var fields: [JSONNode.Member] = [
                .init("author", .text(quote.author)), .init("timestamp", number(quote.sentAt)),
            ]
            if let text = quote.text { fields.append(.init("text", .text(text))) }
            if let picture = quote.picture {
                let part = JSONNode.object([.init("thumbnail", attachment(picture))])
                fields.append(.init("attachments", .array([part])))
            }
            members.append(.init("quote", .object(fields)))
        }
        if let link = message.link {
            var preview: [JSONNode.Member] = [
                .init("url", .text(link.address)), .init("title", .text(link.title)),
            ]
            if let picture = message.linkPicture { preview.append(.init("image", attachment(picture))) }
            members.append(.init("preview", .array([.object(preview)])))
        }
        if !message.reactions.isEmpty {
            let all = message.reactions.enumerated().map { index, reaction in
                JSONNode.Member(
                    reaction.emoji,
                    .object([
                        .init("count", number(reaction.authors.count)), .init("index", number(index)),
                        .init("senders", .array(reaction.authors.map { .text($0) })),
                    ]))
            }
            members.append(.init("reacts", .object(all)))
        }
        return members
    }

    private static func attachment(_ file: StoryMessage.File) -> JSONNode {
        var fields: [JSONNode.Member] = [
            .init("contentType", .text(file.type)), .init("size", number(file.content.count)),
            .init("url", .text(file.address)),
        ]
        if let name = file.name { fields.append(.init("fileName", .text(name))) }
        if file.isVoice { fields.append(.init("flags", number(1))) }
        if file.isThere {
            fields.append(.init("path", .text(DesktopBuilder.path(of: file))))
        } else if file.isLost {
            fields.append(.init("error", number(404)))
        } else {
            fields.append(.init("pending", .bool(true)))
        }
        return .object(fields)
    }
}
