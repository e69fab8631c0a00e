/// One message of each type, and of each form that a type can have (SimpleX's chat log, message contents).
enum SampleMessages {
    /// A picture of one pixel.
    static let pixel =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    /// Previews that are no picture, or none that a page should load.
    private static let badPreviews = [
        "", "data:image/jpg;base64,", "data:image/jpg;base64,not base64!", "data:image/jpg;base64,AAAA",
        "data:image/svg+xml,<svg onload=alert(1)>", "javascript:alert(1)", "https://example.org/tracker.png",
        #"data:image/png;base64,AAAA" onerror="alert(1)"#,
        "data:image/jpg;base64," + String(repeating: "A", count: 20_000),
    ]

    static let texts: [SampleMessage] = (HostileTexts.all + MarkdownTexts.all + SampleTexts.fixed).map {
        SampleMessage.plain($0)
    }

    static let links: [SampleMessage] = [
        link("read https://example.org/post", title: "A post", content: nil),
        link("https://example.org/v", title: "Clip", content: ["type": "video", "duration": 95]),
        link("https://example.org/p", title: "Page", content: ["type": "page"]),
        link("https://example.org/i", title: "Picture", content: ["type": "image"]),
        link("https://example.org/w", title: "Clip", content: ["type": "video"]),
        link("https://example.org/q", title: "Q", image: "", content: ["type": "poll", "options": 3]),
        link(
            "https://example.org/\"><b>", title: HostileTexts.markup[0], description: HostileTexts.markup[1],
            content: nil),
        link("javascript:alert(7)", title: "\u{202E}txet", image: badPreviews[4], content: nil),
    ]

    private static func link(
        _ text: String, title: String, description: String = "", image: String = SampleMedia.preview,
        content: OrderedJSON?
    ) -> SampleMessage {
        let uri = text.split(separator: " ").last.map(String.init) ?? text
        var preview: [(String, OrderedJSON)] = [
            ("uri", .text(uri)), ("title", .text(title)), ("description", .text(description)),
            ("image", .text(image)),
        ]
        if let content { preview.append(("content", content)) }
        return SampleMessage(tag: "link", text: text, fields: [("preview", .object(preview))])
    }

    static let media: [SampleMessage] =
        [
            image("", SampleMedia.preview, .photo), image("the *pier* at dusk", pixel, .picture),
            image("<script>alert(8)</script>", SampleMedia.preview, .portrait), video("waves", 1),
            video("", 3725),
            voice("", 7), voice("", 300), voice("listen to the end", 61), voice("", 3725), voice("", 0),
            SampleMessage(tag: "file", text: "", media: .document),
            SampleMessage(tag: "file", text: "minutes of May", media: .note),
        ] + badPreviews.map { image("a preview that is none", $0, nil) }

    private static func image(_ text: String, _ preview: String, _ media: SampleMedia.Kind?) -> SampleMessage
    {
        SampleMessage(tag: "image", text: text, fields: [("image", .text(preview))], media: media)
    }

    private static func video(_ text: String, _ duration: Int) -> SampleMessage {
        let preview = OrderedJSON.text(SampleMedia.preview)
        return SampleMessage(
            tag: "video", text: text, fields: [("image", preview), ("duration", .number(duration))],
            media: .video)
    }

    static func voice(_ text: String, _ duration: Int) -> SampleMessage {
        let shown = "voice message (\(clock(duration)))"
        return SampleMessage(
            tag: "voice", text: text, fields: [("duration", .number(duration))],
            shownText: text.isEmpty ? shown : "\(shown); \(text)", media: .voice)
    }

    /// Minutes are not turned into hours.
    static func clock(_ seconds: Int) -> String {
        "\(SampleTime.two(seconds / 60)):\(SampleTime.two(seconds % 60))"
    }

    private static let reasons = ["spam", "content", "community", "profile", "other", "impersonation"]

    /// Reports go to the chat with the admins alone.
    static let reports: [SampleMessage] = reasons.flatMap {
        [report($0, ""), report($0, "third time *today*")]
    }

    static func report(_ reason: String, _ text: String) -> SampleMessage {
        SampleMessage(
            tag: "report", text: text, fields: [("reason", .text(reason))],
            shownText: text.isEmpty ? "report \(reason)" : "report \(reason): \(text)")
    }

    static let all: [SampleMessage] = texts + links + media + chats + others
}
