package import ValiseEncoding

/// A message of a conversation, or something that happened in it.
package struct SessionMessage: Sendable, Equatable {
    /// A name that is the same whenever the store is read: the row's ID.
    package let id: String
    /// Its number in the table, which orders what has the same time.
    package let row: Int64
    /// The ``SessionConversation/id``.
    package let conversation: String
    /// A Session ID; nil where none is stored.
    package let author: String?
    /// Whether the account's user sent it.
    package let isSent: Bool
    /// What it is.
    package let content: SessionContent
    /// The text; nil for none.
    package let body: String?
    /// When its author sent it; nil where that is not stored.
    package let sentAt: UTCTime?
    /// When this device received it; nil where that is not stored.
    package let receivedAt: UTCTime?
    /// When the server of a community took it; nil elsewhere.
    package let serverTime: UTCTime?
    /// By what the network knows it; nil for what was never sent.
    package let identity: SessionIdentity?
    /// Nil where that is not stored.
    package let isUnread: Bool?
    /// Nil for what others sent.
    package let delivery: SessionDelivery?
    /// Nil for a message that stays.
    package let expiry: SessionExpiry?
    /// What it answers; nil for nothing.
    package let quote: SessionQuote?
    package let reactions: [SessionReaction]
    package let linkPreviews: [SessionLinkPreview]
    /// In the order of the message.
    package let attachments: [SessionAttachment]
    /// What of it cannot be read, or is stored twice and differs: the column is given then. The rest is right.
    package let problems: [String]
    /// The document as it is stored, for Desktop; nil elsewhere.
    package let document: String?

    /// By which the conversation is ordered.
    package var time: UTCTime? { serverTime ?? sentAt ?? receivedAt }
}

/// What a message is.
package enum SessionContent: Sendable, Hashable {
    /// A text, attachments, or both.
    case message
    /// It was deleted, and a trace of it left.
    case deleted
    /// Disappearing messages were set: the lifetime in seconds; nil for off, and where it is not stored.
    case lifetimeChanged(Int64?)
    /// Members or the name of a group changed: as it is stored.
    case groupChanged(String)
    /// A call: as its outcome is stored.
    case call(String)
    /// The other side made a screenshot, or saved a file.
    case captured
    /// A message request was accepted.
    case requestAccepted
    /// An invitation into a community.
    case communityInvitation(name: String?, address: String?)
    /// Something else that happened: as its kind is stored.
    case event(String)
    /// The stored document cannot be read; columns beside it can.
    case unreadable
}

/// What the network knows a message by: the same on all devices of an account.
package enum SessionIdentity: Sendable, Hashable {
    /// The hash that the swarm gave it.
    case serverHash(String)
    /// The number that a community's server gave it.
    case communityMessage(Int64)

    /// As Session writes it into its records of what was received.
    package var text: String {
        switch self {
        case .serverHash(let hash): hash
        case .communityMessage(let number): String(number)
        }
    }
}

/// What became of a message that was sent.
package enum SessionDelivery: Sendable, Hashable {
    case sending
    case sent
    /// The reason, where one is stored.
    case failed(String?)
    /// Its recipient read it.
    case read
    /// As it is stored.
    case other(String)
}
