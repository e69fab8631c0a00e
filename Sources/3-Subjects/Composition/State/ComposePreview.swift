public import ValiseChatSchema

/// What goes with the text of a message.
public enum ComposePreview: Sendable, Equatable {
    /// Nothing.
    case none
    /// The page that the text links to; nil while it is loaded.
    case link(MessageContent.LinkPreview?)
    /// An invitation to a chat.
    case chatLink(MessageContent.ChatLink)
    /// Pictures and films.
    case media([AttachedMedia])
    /// A voice message, and how many seconds of it there are.
    case voice(ComposedFile, seconds: Int)
    /// Any other file.
    case file(ComposedFile)
}

/// A picture or a film that is attached.
public struct AttachedMedia: Sendable, Equatable {
    /// A small picture as a `data:` address.
    public let preview: String
    /// How long the film is, in seconds; nil for a picture.
    public let seconds: Int?
    /// Nil where it is that of an item that is edited, which stays as it is.
    public let file: ComposedFile?

    /// A picture, or a film where it has a length.
    public init(preview: String, seconds: Int? = nil, file: ComposedFile?) {
        self.preview = preview
        self.seconds = seconds
        self.file = file
    }
}

/// A file that is sent with a message.
public struct ComposedFile: Sendable, Equatable {
    /// Absolute, or below the files folder of the program that sends it.
    public let path: String
    /// As the receiver sees it.
    public let name: String
    /// In bytes of content; nil where it is not known yet.
    public let size: Int64?
    /// With which it is encrypted; nil for a file as it is.
    public let encryption: Encryption?
    /// Whether it was made for this message, and goes when the message does.
    public let isTemporary: Bool

    /// The key of a file that is encrypted, as the message carries it.
    public struct Encryption: Sendable, Equatable {
        /// In base64url.
        public let key: String
        /// In base64url.
        public let nonce: String

        /// The two texts of an encrypted file.
        public init(key: String, nonce: String) {
            self.key = key
            self.nonce = nonce
        }
    }

    /// A file, by default one of the user's own that stays.
    public init(
        path: String, name: String? = nil, size: Int64? = nil, encryption: Encryption? = nil,
        isTemporary: Bool = false
    ) {
        self.path = path
        self.name = name ?? String(path.split(separator: "/").last ?? "")
        self.size = size
        self.encryption = encryption
        self.isTemporary = isTemporary
    }
}

extension ComposePreview {
    /// Nothing is attached.
    public var isNone: Bool { self == .none }

    var isLink: Bool { if case .link = self { true } else { false } }
    var isVoice: Bool { if case .voice = self { true } else { false } }
    var isMedia: Bool { if case .media = self { true } else { false } }

    /// Files that go when the message is given up.
    var temporaryFiles: [ComposedFile] {
        let files: [ComposedFile] =
            switch self {
            case .media(let media): media.compactMap(\.file)
            case .voice(let file, _), .file(let file): [file]
            case .none, .link, .chatLink: []
            }
        return files.filter(\.isTemporary)
    }
}
