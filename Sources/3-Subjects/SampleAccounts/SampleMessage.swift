/// The content of a message (SimpleX's data model), with what the columns beside it say about it.
struct SampleMessage {
    /// `type` in the JSON, and `msg_content_tag`.
    var tag: String
    /// The message's own text.
    var text: String
    /// Fields after `type` and `text`.
    var fields: [(String, OrderedJSON)] = []
    /// What `item_text` says where that is not the text.
    var shownText: String?
    /// What lies in the media folder for it.
    var media: SampleMedia.Kind?
    /// Whether the JSON has no `text` at all, as unknown types may.
    var isWithoutText = false

    var json: OrderedJSON {
        guard !isWithoutText else { return .object([("type", .text(tag))] + fields) }
        return .object([("type", .text(tag)), ("text", .text(text))] + fields)
    }
    var itemText: String { shownText ?? text }
    var hasLink: Bool { tag == "link" || Self.hasAddress(text) }

    private static let scheme = Array("https://".utf8)

    /// Looks at bytes: finding a `String` in another takes as long as all else about a message.
    private static func hasAddress(_ text: String) -> Bool {
        var matched = 0
        for byte in text.utf8 {
            matched = byte == scheme[matched] ? matched + 1 : byte == scheme[0] ? 1 : 0
            if matched == scheme.count { return true }
        }
        return false
    }
}

extension SampleMessage {
    /// Kinds of content that the plan names.
    enum Kind { case text, link, image, video, voice, file, report, chat, unknown }

    /// - Parameter turn: how often this kind was made before; goes through its variants.
    static func make(_ kind: Kind, turn: Int, _ generator: inout SampleGenerator) -> SampleMessage {
        switch kind {
        case .text: text(turn, &generator)
        case .link: link(turn)
        case .image, .video, .voice, .file: media(kind, turn)
        case .report: report(turn)
        case .chat: chat(turn)
        case .unknown:
            SampleMessage(
                tag: "hologram", text: turn % 2 == 0 ? "A message from the future" : "",
                fields: [("depth", 3), ("layers", ["a", "b"])],
                shownText: turn % 2 == 0 ? nil : "unknown message type")
        }
    }

    static func plain(_ text: String) -> SampleMessage { SampleMessage(tag: "text", text: text) }

    private static func text(_ turn: Int, _ generator: inout SampleGenerator) -> SampleMessage {
        // Every third one from the list at first, then seldom: a million messages should not repeat much.
        let step = turn < 300 ? 3 : 40
        if turn % step == 0 { return plain(SampleTexts.fixed[turn / step % SampleTexts.fixed.count]) }
        return plain(SampleTexts.sentence(&generator))
    }

    private static func link(_ turn: Int) -> SampleMessage {
        let kinds: [OrderedJSON] = [
            ["type": "page"], ["type": "image"], ["type": "video", "duration": 95], ["type": "unknown"],
        ]
        let uri = "https://example.org/article/\(turn)"
        return SampleMessage(
            tag: "link", text: "Read this: \(uri)",
            fields: [
                (
                    "preview",
                    [
                        "uri": .text(uri), "title": "An article", "description": "It says \"hello\" & more",
                        "image": .text(SampleMedia.preview), "content": kinds[turn % kinds.count],
                    ]
                )
            ])
    }

    private static func media(_ kind: Kind, _ turn: Int) -> SampleMessage {
        let caption = turn % 3 == 0 ? "Look at *this* 📷" : ""
        let preview = ("image", OrderedJSON.text(SampleMedia.preview))
        switch kind {
        case .image:
            let media: SampleMedia.Kind = [.photo, .picture, .portrait][turn % 3]
            return SampleMessage(tag: "image", text: caption, fields: [preview], media: media)
        case .video:
            let fields = [preview, ("duration", 1)]
            return SampleMessage(tag: "video", text: caption, fields: fields, media: .video)
        case .voice:
            let seconds = turn % 4 == 3 ? 67 : 7
            let shown = "voice message (\(SampleTime.two(seconds / 60)):\(SampleTime.two(seconds % 60)))"
            let text = turn % 5 == 4 ? "listen" : ""
            return SampleMessage(
                tag: "voice", text: text, fields: [("duration", .number(seconds))],
                shownText: text.isEmpty ? shown : "\(shown); \(text)", media: .voice)
        default:
            return SampleMessage(
                tag: "file", text: turn % 2 == 0 ? "" : "The paper you asked for",
                media: turn % 2 == 0 ? .document : .note)
        }
    }

    private static func report(_ turn: Int) -> SampleMessage {
        let reason = ["spam", "content", "community", "profile", "other", "too loud"][turn % 6]
        let text = turn % 2 == 0 ? "please look" : ""
        return SampleMessage(
            tag: "report", text: text, fields: [("reason", .text(reason))],
            shownText: "report \(reason)" + (text.isEmpty ? "" : ": \(text)"))
    }

    private static func chat(_ turn: Int) -> SampleMessage {
        let profile: OrderedJSON = ["displayName": "Dan", "fullName": "Dan Distant"]
        let links: [OrderedJSON] = [
            [
                "type": "contact", "connLink": "https://smp1.example.org/a#c", "profile": profile,
                "business": false,
            ],
            ["type": "invitation", "invLink": "https://smp1.example.org/i#i", "profile": profile],
            [
                "type": "group", "connLink": "https://smp2.example.org/g#g",
                "groupProfile": ["displayName": "Book Club", "fullName": ""],
            ],
        ]
        let link = links[turn % links.count]
        return SampleMessage(tag: "chat", text: "Meet Dan", fields: [("chatLink", link)])
    }
}
