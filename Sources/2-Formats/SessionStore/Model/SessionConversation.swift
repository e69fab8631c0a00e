package import ValiseEncoding

/// A conversation of an account of Session.
package struct SessionConversation: Sendable, Hashable {
    /// What kind of conversation it is.
    package enum Kind: String, Sendable, CaseIterable {
        case contact
        /// A group of the network that admins manage.
        case group
        /// A group of the kind that came before, whose members share a key.
        case legacyGroup
        /// A group on a server of its own.
        case community
        /// A message request of a community's member, under a blinded ID.
        case communityContact
        /// Private notes: the conversation with the account's own ID.
        case notes
        /// Anything else.
        case other
    }

    /// A Session ID, the ID of a group, or the address of a community's room.
    package let id: String
    /// What kind of conversation it is.
    package let kind: Kind
    /// As the other side or the group calls itself; nil for none.
    package let name: String?
    /// As the user calls it; nil for none.
    package let nickname: String?
    /// Nil for none, and for what is not stored.
    package let about: String?
    /// Whether the app lists it; nil where that is not stored.
    package let isHidden: Bool?
    /// Whether the user accepted it; nil where that is not stored.
    package let isApproved: Bool?
    /// Whether the user marked it as unread; nil where that is not stored.
    package let isMarkedUnread: Bool?
    /// How long new messages live, in seconds; nil for ever, and for what is not stored.
    package let lifetime: Int64?
    /// IDs of a group's members; empty where they are not stored.
    package let members: [String]
    /// IDs of a group's admins; empty where they are not stored.
    package let admins: [String]
    /// When the app last used it; nil for never.
    package let lastActive: UTCTime?
    /// The time of the first message; nil for none, and where that is not stored.
    package let firstMessage: UTCTime?
    /// Whether it has any message.
    package let hasMessages: Bool
    /// How many messages it has, events too; 0 where that was not asked for.
    package let messages: Int64
    /// How many of them are unread; nil where that is not stored.
    package let unread: Int64?

    /// What is shown: the nickname, else the name, else the ID.
    package var title: String { nickname ?? name ?? id }
}

/// Somebody whom the account knows.
package struct SessionContact: Sendable, Hashable {
    /// A Session ID, blinded or not.
    package let id: String
    /// As the contact calls itself.
    package let name: String?
    /// As the user calls it.
    package let nickname: String?
    /// Whether the user accepted it; nil where that is not stored.
    package let isApproved: Bool?
    /// Whether it accepted the user; nil where that is not stored.
    package let didApprove: Bool?
    /// Nil where that is not stored.
    package let isBlocked: Bool?

    /// What is shown: the nickname, else the name, else the ID.
    package var title: String { nickname ?? name ?? id }
}

extension SessionConversation {
    /// One of which only messages are left.
    init(id: String, orphans: MessageCounts.Count) {
        self.init(
            id: id, kind: .other, name: nil, nickname: nil, about: nil, isHidden: nil, isApproved: nil,
            isMarkedUnread: nil, lifetime: nil, members: [], admins: [], lastActive: nil,
            firstMessage: UTCTime(stored: orphans.first), hasMessages: true,
            messages: orphans.messages, unread: orphans.unread)
    }

    /// Those that were never used come last.
    static func wasUsedLater(_ first: SessionConversation, _ second: SessionConversation) -> Bool {
        switch (first.lastActive, second.lastActive) {
        case (let one?, let other?) where one != other: one > other
        case (.some, nil): true
        case (nil, .some): false
        default: first.id < second.id
        }
    }
}
