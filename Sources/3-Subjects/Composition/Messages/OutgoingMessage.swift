public import ValiseChatSchema

/// One thing that the chat program is asked for when a message is sent.
public enum OutgoingMessage: Sendable, Equatable {
    /// A new message.
    case new(ComposedMessage, isLive: Bool)
    /// Another text of an item.
    case update(UpdatedMessage, isLive: Bool)
    /// Items of another chat, or of this one.
    case forward(items: [Int64], from: ComposeChat)
    /// A report of an item to the moderators.
    case report(item: Int64, reason: String, text: String)
}

/// A new message as the chat program takes it: the type `ComposedMessage` of its API.
public struct ComposedMessage: Sendable, Equatable {
    /// What is answered.
    public enum Quote: Sendable, Equatable {
        /// An item by its row.
        case item(Int64)
        /// The last one of those that are forwarded just before, whose row nobody knows yet.
        case lastForwarded
    }

    /// What it says.
    public let content: MessageContent
    /// Nil for none.
    public let file: ComposedFile?
    /// Nil for none.
    public let quote: Quote?
    /// The rows of members by their names in the text.
    public let mentions: [String: Int64]

    /// A message by its parts.
    public init(
        content: MessageContent, file: ComposedFile? = nil, quote: Quote? = nil,
        mentions: [String: Int64] = [:]
    ) {
        self.content = content
        self.file = file
        self.quote = quote
        self.mentions = mentions
    }
}

/// A changed message as the chat program takes it: the type `UpdatedMessage` of its API.
public struct UpdatedMessage: Sendable, Equatable {
    /// The row of the item.
    public let item: Int64
    /// What it says from now on.
    public let content: MessageContent
    /// The rows of members by their names in the text.
    public let mentions: [String: Int64]

    /// Another text of an item.
    public init(item: Int64, content: MessageContent, mentions: [String: Int64] = [:]) {
        self.item = item
        self.content = content
        self.mentions = mentions
    }
}
