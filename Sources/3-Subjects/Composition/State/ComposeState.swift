public import ValiseChatSchema

/// A message while it is composed: what it says, what goes with it, and what it is about.
///
/// It is a value. ``reduce(_:_:_:)`` makes the next one of it and of what happened; the source of its parts is the fact sheet of
/// the chat log, section 8.
public struct ComposeState: Sendable, Equatable {
    /// The text as it is typed.
    public internal(set) var message = "" {
        didSet { parsedMessage = FormattedText(message) }
    }
    /// The text as it will be shown.
    public private(set) var parsedMessage = FormattedText("")
    /// Nil unless the message goes out while it is typed.
    public internal(set) var live: LiveMessage?
    /// What goes with it.
    public internal(set) var preview = ComposePreview.none
    /// What it is about.
    public internal(set) var context = ComposeContext.none
    /// Where a voice message is.
    public internal(set) var recording = VoiceRecording.none
    /// Whether it is being sent.
    public internal(set) var isSending = false
    /// Whether that has taken more than a second.
    public internal(set) var isSendingSlowly = false
    /// Whether pages are looked at that the text links to.
    public internal(set) var linkPreviews = LinkPreviewChoice.undecided
    /// Whom the text mentions, by the names in it.
    public internal(set) var mentions: [String: ComposeMember] = [:]
    /// What is known of the links in the text.
    public internal(set) var links = LinkMemory()

    /// An empty message.
    public init(linkPreviews: LinkPreviewChoice = .undecided) { self.linkPreviews = linkPreviews }
}

/// A message that goes out while it is typed.
public struct LiveMessage: Sendable, Equatable {
    /// The row of the item; nil before anything was sent.
    public internal(set) var item: Int64?
    /// The text at the last tick.
    public internal(set) var typed: String
    /// What was sent of it; nil before anything was.
    public internal(set) var sent: String?
}

/// Where the recording of a voice message is.
public enum VoiceRecording: Sendable, Equatable {
    /// There is none.
    case none
    /// It goes on.
    case recording
    /// It can be sent.
    case finished
}

/// Whether the user wants previews of pages, which their servers see.
public enum LinkPreviewChoice: Sendable, Equatable {
    /// Nobody asked.
    case undecided
    /// Pages are looked at.
    case enabled
    /// None is.
    case disabled
}

/// What is known of the links in a text.
public struct LinkMemory: Sendable, Equatable {
    /// The first link of the text that counts; nil for none.
    public internal(set) var found: String?
    /// Whose preview is shown or loading; nil for none.
    public internal(set) var shown: String?
    /// Whose preview is waited for; nil for none.
    public internal(set) var pending: String?
    /// Whose previews the user does not want, until the message is sent.
    public internal(set) var cancelled: Set<String> = []
}
