import ValiseEncoding
import ValiseSessionStore

/// What a message has that the model has no place for, as it is kept in the content of an item.
///
/// Where names are kept back nothing of it tells them: `json` goes as a whole, and `msgId` becomes another one, as those of the
/// model's own program.
enum SessionRecord {
    /// The field of a content.
    static let key = "session"

    /// Of a message: its ID in the store, what the network knows it by, what of it cannot be read, and the stored document.
    static func node(of message: SessionMessage, _ attachment: SessionAttachment? = nil) -> JSONNode {
        var members: [JSONNode.Member] = [.init("id", .text(message.id))]
        if let identity = message.identity { members.append(.init("msgId", .text(identity.text))) }
        if let start = message.expiry?.startedAt { members.append(.init("expiryStart", .text(start.text))) }
        let counts = message.reactions.filter { $0.count != Int64($0.authors.count) }
        if !counts.isEmpty {
            members.append(
                .init(
                    "reactionCounts",
                    .array(
                        counts.map {
                            .object([
                                .init("emoji", .text($0.emoji)), .init("count", .number(String($0.count))),
                            ])
                        })))
        }
        if !message.problems.isEmpty {
            members.append(.init("problems", .array(message.problems.map { .text($0) })))
        }
        // Of an event its text says nothing to people.
        if message.content != .message, let body = message.body { members.append(.init("body", .text(body))) }
        // Of what cannot be read the content itself has it.
        if let document = message.document, message.content != .unreadable {
            members.append(.init("json", .text(document)))
        }
        return .object(members + file(attachment))
    }

    /// Of a further part of it.
    static func node(ofPart index: Int, _ attachment: SessionAttachment?) -> JSONNode {
        .object([.init("part", .number(String(index + 1)))] + file(attachment))
    }

    private static func file(_ attachment: SessionAttachment?) -> [JSONNode.Member] {
        guard let attachment else { return [] }
        var members: [JSONNode.Member] = []
        if let type = attachment.contentType { members.append(.init("contentType", .text(type))) }
        if let width = attachment.width { members.append(.init("width", .number(String(width)))) }
        if let height = attachment.height { members.append(.init("height", .number(String(height)))) }
        return members
    }
}
