public import ValiseChatSchema

/// What the message is about.
public enum ComposeContext: Sendable, Equatable {
    /// Itself.
    case none
    /// It answers an item.
    case quoted(ComposeItem)
    /// It replaces the text of an item.
    case editing(ComposeItem)
    /// It goes with items of another chat, or of this one.
    case forwarding([ComposeItem], from: ComposeChat)
    /// It says why an item is reported.
    case reported(ComposeItem, reason: String)
}

/// An item of a chat, as far as a message can be about it.
public struct ComposeItem: Sendable, Equatable {
    /// The row in the database, which commands of the API name.
    public let id: Int64
    /// What it says.
    public let content: MessageContent
    /// Whether the user wrote it.
    public let isSent: Bool
    /// When it was sent, in seconds since 1970.
    public let time: Double
    /// Whether it is still being typed.
    public let isLive: Bool
    /// Whether it was forwarded.
    public let isForwarded: Bool
    /// Whether it is marked as deleted.
    public let isDeleted: Bool
    /// Its file; nil for none.
    public let file: ComposedFile?
    /// Whom its text mentions, by the names in the text.
    public let mentions: [String: ComposeMember]

    /// A message of a chat.
    public init(
        id: Int64, content: MessageContent, isSent: Bool, time: Double, isLive: Bool = false,
        isForwarded: Bool = false, isDeleted: Bool = false, file: ComposedFile? = nil,
        mentions: [String: ComposeMember] = [:]
    ) {
        self.id = id
        self.content = content
        self.isSent = isSent
        self.time = time
        self.isLive = isLive
        self.isForwarded = isForwarded
        self.isDeleted = isDeleted
        self.file = file
        self.mentions = mentions
    }
}

/// A member of a group.
public struct ComposeMember: Sendable, Equatable {
    /// What a member may be mentioned as.
    public enum Standing: Sendable, Equatable {
        /// Takes part.
        case current
        /// Was asked, and has not joined.
        case invited
        /// Left, or was removed.
        case gone
    }

    /// The row in the database, which commands of the API name.
    public let id: Int64
    /// The name that the member chose.
    public let name: String
    /// The name that the user gave; nil for none.
    public let alias: String?
    /// Whether the member takes part.
    public let standing: Standing
    /// Whether the member moderates the group.
    public let isModerator: Bool

    /// A member of the group of the chat.
    public init(
        id: Int64, name: String, alias: String? = nil, standing: Standing = .current,
        isModerator: Bool = false
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.standing = standing
        self.isModerator = isModerator
    }
}

extension ComposeContext {
    /// The message is about nothing else.
    public var isNone: Bool { self == .none }

    var isQuoted: Bool { if case .quoted = self { true } else { false } }
    var isEditing: Bool { if case .editing = self { true } else { false } }
    var isForwarding: Bool { if case .forwarding = self { true } else { false } }
    var isReporting: Bool { if case .reported = self { true } else { false } }
}
