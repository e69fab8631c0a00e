package import ValiseChatSchema

/// What an item is, for who selects and counts items.
package enum ItemKind: String, Sendable, CaseIterable {
    case text, link, image, video, voice, file, report
    /// A message of a type that is not known here, or one that links to a conversation.
    case other
    case call
    /// A message that somebody removed, and of which nothing is left.
    case removed
    /// Something that happened: members, connections, settings.
    case event
    /// What cannot be read but for its text.
    case unreadable

    /// - Parameter content: of an item.
    package init(_ content: ItemContent) {
        if let message = content.message {
            self = message.type == "event" ? .other : ItemKind(rawValue: message.type) ?? .other
            return
        }
        self =
            switch content.kind {
            case .sndCall, .rcvCall: .call
            case .sndDeleted, .rcvDeleted, .sndModerated, .rcvModerated, .rcvBlocked: .removed
            case .invalidJSON, nil: .unreadable
            default: .event
            }
    }
}

extension ConversationItem {
    /// What it is.
    package var kind: ItemKind { ItemKind(content) }

    /// Whether the app shows it at all: a banner draws the head of a conversation.
    package var isShown: Bool { content.isShown }
}

extension ItemContent {
    /// Whether the app shows what has this content.
    var isShown: Bool { kind != .chatBanner && kind != .rcvIntegrityError }
}
