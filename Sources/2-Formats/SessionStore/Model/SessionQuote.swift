package import ValiseEncoding

/// What a message answers.
package struct SessionQuote: Sendable, Hashable {
    /// A Session ID; nil where none is stored.
    package let author: String?
    /// When the quoted message was sent, which is by what it is found; nil where that is not stored.
    package let sentAt: UTCTime?
    /// As its author quoted it; nil for none, and where only the quoted message has the text.
    package let body: String?
    /// Pictures of the quoted message that are kept with the quote.
    package let attachments: [SessionAttachment]
}

/// A reaction, and whose.
package struct SessionReaction: Sendable, Hashable {
    /// As it is stored.
    package let emoji: String
    /// Session IDs. A community's server may name fewer than there are.
    package let authors: [String]
    /// How many there are.
    package let count: Int64
}

/// A link in a message, as its sender's app looked it up.
package struct SessionLinkPreview: Sendable, Hashable {
    /// A URL, as it is in the text.
    package let address: String
    /// Of the page; nil for none.
    package let title: String?
    /// Nil for none.
    package let picture: SessionAttachment?
}

/// A record that a message was received, which outlives the message: who merges histories does not take it twice.
package struct SessionSeenMessage: Sendable, Hashable {
    /// The ``SessionConversation/id``; nil where it is not stored.
    package let conversation: String?
    /// See ``SessionIdentity/text``; `LegacyRecord-…` for what came before there were records.
    package let identifier: String
    /// When the record goes; nil for never.
    package let expiresAt: UTCTime?
    /// Whether the record goes with its conversation; nil where that is not stored.
    package let goesWithConversation: Bool?
}
