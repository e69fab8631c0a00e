import ValiseEncoding

/// Contents as the official programs take them. Their fields stand in the order in which those write them.
extension MessageContent {
    /// Words alone.
    public static func text(_ text: String) -> MessageContent { make("text", text, []) }

    /// Words with the preview of a page that they link to.
    public static func link(_ text: String, preview: LinkPreview) -> MessageContent {
        make("link", text, [.init("preview", preview.fields)])
    }

    /// A picture.
    ///
    /// - Parameters:
    ///   - text: its caption, often empty.
    ///   - preview: a `data:` address.
    public static func image(_ text: String, preview: String) -> MessageContent {
        make("image", text, [.init("image", .text(preview))])
    }

    /// A film.
    ///
    /// - Parameters:
    ///   - text: its caption, often empty.
    ///   - preview: a picture of it as a `data:` address.
    ///   - seconds: how long it is.
    public static func video(_ text: String, preview: String, seconds: Int) -> MessageContent {
        make("video", text, [.init("image", .text(preview)), .init("duration", .number(String(seconds)))])
    }

    /// A voice message.
    ///
    /// - Parameters:
    ///   - text: what stands below it; may be empty.
    ///   - seconds: how long it is.
    public static func voice(_ text: String, seconds: Int) -> MessageContent {
        make("voice", text, [.init("duration", .number(String(seconds)))])
    }

    /// Any other file.
    public static func file(_ text: String) -> MessageContent { make("file", text, []) }

    /// A complaint about a message to the moderators of a group.
    public static func report(_ text: String, reason: String) -> MessageContent {
        make("report", text, [.init("reason", .text(reason))])
    }

    /// An invitation to a chat, which ends the text.
    public static func chat(_ text: String, link: ChatLink) -> MessageContent {
        let signature = link.signature.map { [JSONNode.Member("ownerSig", $0)] } ?? []
        return make("chat", text, [.init("chatLink", link.fields)] + signature)
    }

    /// The same kind of message with another text.
    public func with(text: String) -> MessageContent {
        let members = fields.objectValue ?? []
        let replaced = members.map { $0.key == "text" ? JSONNode.Member("text", .text(text)) : $0 }
        return MessageContent(.object(replaced)) ?? self
    }

    /// The object on one line.
    public var json: String { fields.jsonText }

    private static func make(_ type: String, _ text: String, _ others: [JSONNode.Member]) -> MessageContent {
        let known: [JSONNode.Member] = [.init("type", .text(type)), .init("text", .text(text))]
        return MessageContent(type: type, text: text, fields: .object(known + others))
    }
}
