import ValiseChatSchema
import ValiseComposition

/// Messages in each state, and everything that can happen to them: the two sides of the table in
/// `Fixtures/compose-table.txt`.
enum ComposeCase {
    static let kim = ComposeMember(id: 31, name: "kim")
    static let notes = ComposeChat(.notes, id: 1)
    static let group = ComposeChat(.group, id: 3)
    static let now: Double = 1_800_000_000

    static let policy: ComposePolicy = {
        var policy = ComposePolicy(group)
        policy.now = now
        policy.allowsTimed = true
        return policy
    }()

    static func item(_ id: Int64, _ text: String = "hello", isSent: Bool = false) -> ComposeItem {
        ComposeItem(id: id, content: .text(text), isSent: isSent, time: now - 60)
    }

    static let preview = MessageContent.LinkPreview(
        uri: "https://a.example/x", title: "A", description: "", image: nil)
    static let picture = AttachedMedia(
        preview: "data:image/jpg;base64,AA", file: ComposedFile(path: "p.jpg", size: 9, isTemporary: true))
    static let film = AttachedMedia(
        preview: "data:image/jpg;base64,BB", seconds: 4,
        file: ComposedFile(path: "f.mp4", size: 9, isTemporary: true))
    static let voice = ComposedFile(path: "v.m4a", isTemporary: true)
    static let document = ComposedFile(path: "d.pdf", size: 9)
    static let chatLink = MessageContent(
        parsing: """
            {"type":"chat","text":"simplex:/g#x","chatLink":{"type":"group","connLink":"simplex:/g#x",\
            "groupProfile":{"displayName":"g","fullName":""}}}
            """)?.chatLink

    /// From an empty message, by events alone.
    static let states: KeyValuePairs<String, [ComposeEvent]> = [
        "empty": [],
        "blank": [.textChanged("  ")],
        "text": [.textChanged("hi there")],
        "mention": [.textChanged("@k"), .mentionChosen(kim, replacing: 0..<2)],
        "pending": [.textChanged("see https://a.example/x")],
        "loading": [.textChanged("see https://a.example/x"), .linkDelayPassed("https://a.example/x")],
        "link": [
            .textChanged("see https://a.example/x"), .linkDelayPassed("https://a.example/x"),
            .linkPreviewLoaded("https://a.example/x", preview),
        ],
        "chatlink": chatLink.map { [.chatLinkShared($0)] } ?? [],
        "picture": [.mediaPicked([picture])],
        "media": [.textChanged("two"), .mediaPicked([picture, film])],
        "file": [.filePicked(document)],
        "recording": [.recordingStarted(voice)],
        "voice": [.recordingStarted(voice), .recordingStopped(seconds: 5)],
        "reply": [.replied(item(7))],
        "replytext": [.replied(item(7)), .textChanged("yes")],
        "editing": [.edited(item(5, "old", isSent: true))],
        "edited": [.edited(item(5, "old", isSent: true)), .textChanged("older")],
        "forward": [.forwarded([item(1), item(2)], from: ComposeChat(.contact, id: 4))],
        "report": [.reported(item(7), reason: "spam")],
        "other": [.reported(item(7), reason: "other")],
        "live": [.liveStarted],
        "livesent": [.textChanged("hi "), .liveStarted, .liveSent(item: 9)],
        "sending": [.textChanged("hi there"), .sendPressed],
    ]

    static let events: KeyValuePairs<String, ComposeEvent> = [
        "type words": .textChanged("new"),
        "type nothing": .textChanged(""),
        "type link": .textChanged("go https://b.example/y on"),
        "link delay": .linkDelayPassed("https://a.example/x"),
        "link loaded": .linkPreviewLoaded("https://a.example/x", preview),
        "link failed": .linkPreviewFailed("https://a.example/x"),
        "link failure shown": .linkFailurePassed("https://a.example/x"),
        "link cancelled": .linkPreviewCancelled,
        "previews off": .linkPreviewsChosen(.disable),
        "mention": .mentionChosen(kim, replacing: 0..<0),
        "pick media": .mediaPicked([picture, nil]),
        "pick unusable": .mediaPicked([nil]),
        "pick too many": .mediaPicked(Array(repeating: picture, count: 11)),
        "pick file": .filePicked(document),
        "pick large file": .filePicked(ComposedFile(path: "big", size: 1_073_741_825)),
        "share chat": chatLink.map { .chatLinkShared($0) } ?? .sent,
        "remove attachment": .attachmentRemoved,
        "record": .recordingStarted(ComposedFile(path: "w.m4a", isTemporary: true)),
        "record refused": .recordingRefused,
        "record 3 s": .recordingProgressed(seconds: 3),
        "record 300 s": .recordingProgressed(seconds: 300),
        "short press": .recordingReleased(held: 0.5, seconds: 0.5),
        "long press": .recordingReleased(held: 2, seconds: 2),
        "stop recording": .recordingStopped(seconds: 5.4),
        "cancel voice": .voiceCancelled,
        "reply": .replied(item(8)),
        "edit": .edited(item(6, "mine", isSent: true)),
        "edit of others": .edited(item(6)),
        "forward": .forwarded([item(3)], from: notes),
        "report": .reported(item(8), reason: "spam"),
        "report own": .reported(item(8, isSent: true), reason: "spam"),
        "remove context": .contextRemoved,
        "start live": .liveStarted,
        "live tick": .liveTicked,
        "live sent": .liveSent(item: 9),
        "cancel live": .liveCancelled,
        "send": .sendPressed,
        "slow": .sendingSlow,
        "sent": .sent,
        "failed": .sendingFailed,
        "leave": .chatLeft,
        "restore draft": .draftRestored(made([.textChanged("kept")])),
        "nothing changed": .policyChanged,
    ]

    static func made(_ events: [ComposeEvent], _ policy: ComposePolicy = policy) -> ComposeState {
        events.reduce(ComposeState(linkPreviews: .enabled)) { ComposeState.reduce($0, $1, policy).state }
    }
}

// MARK: What the table says of a state

extension ComposeState {
    /// Its parts that are not those of an empty message.
    var summary: [String: String] {
        var parts: [String: String] = [:]
        if !message.isEmpty { parts["text"] = "\"\(message)\"" }
        if !preview.isNone { parts["preview"] = preview.summary }
        if !context.isNone { parts["context"] = context.summary }
        if recording != .none { parts["recording"] = "\(recording)" }
        if let live {
            parts["live"] = "\(live.item ?? 0),\"\(live.typed)\",\(live.sent.map { "\"\($0)\"" } ?? "-")"
        }
        if isSending { parts["sending"] = isSendingSlowly ? "slow" : "yes" }
        if linkPreviews != .enabled { parts["previews"] = "\(linkPreviews)" }
        if !mentions.isEmpty { parts["mentions"] = mentions.keys.sorted().joined(separator: ",") }
        if let pending = links.pending { parts["pending"] = pending.shortLink }
        if let shown = links.shown { parts["shown"] = shown.shortLink }
        if !links.cancelled.isEmpty {
            parts["cancelled"] = links.cancelled.sorted().map(\.shortLink).joined()
        }
        return parts
    }
}

extension String {
    fileprivate var shortLink: String { String(dropFirst("https://".count).prefix(1)) }
}

extension ComposePreview {
    fileprivate var summary: String {
        switch self {
        case .none: "none"
        case .link(let preview): preview == nil ? "link-loading" : "link"
        case .chatLink: "chat"
        case .media(let media): "media\(media.count)"
        case .voice(let file, let seconds): "\(file.path):\(seconds)s"
        case .file(let file): file.path
        }
    }
}

extension ComposeContext {
    fileprivate var summary: String {
        switch self {
        case .none: "none"
        case .quoted(let item): "reply:\(item.id)"
        case .editing(let item): "edit:\(item.id)"
        case .forwarding(let items, let chat):
            "forward:\(chat.reference):\(items.map { "\($0.id)" }.joined(separator: "+"))"
        case .reported(let item, let reason): "report:\(item.id):\(reason)"
        }
    }
}

extension ComposeEffect {
    /// One word, without spaces but in quotes.
    var summary: String {
        switch self {
        case .replaceText(let text, let cursor): "replace(\"\(text)\",\(cursor))"
        case .waitForLink(let link, let seconds): "wait-for-link(\(link.shortLink),\(seconds))"
        case .askForLinkPreviews(let link): "ask-for-previews(\(link.shortLink))"
        case .loadLinkPreview(let link): "load(\(link.shortLink))"
        case .waitAfterLinkFailure(let link, let seconds): "wait-after-failure(\(link.shortLink),\(seconds))"
        case .stopPlayback: "stop-playback"
        case .startRecording(let file, let limit): "record(\(file.path),\(limit))"
        case .stopRecording: "stop-recording"
        case .deleteFile(let file): "delete(\(file.path))"
        case .explainLive: "explain-live"
        case .showLiveItem: "show-live-item"
        case .removeLiveItem: "remove-live-item"
        case .startLiveTimer(let interval): "live-timer(\(interval))"
        case .stopLiveTimer: "stop-live-timer"
        case .send(let messages): "send(\(messages.map(\.summary).joined(separator: "+")))"
        case .waitForSending(let seconds): "wait-for-sending(\(seconds))"
        case .saveDraft(let state): "save-draft(\(state.summary.keys.sorted().joined(separator: "+")))"
        case .clearDraft: "clear-draft"
        case .restoreDraft: "restore-draft"
        case .refuse(let refusal): "refuse(\(refusal.word))"
        }
    }
}

extension ComposeRefusal {
    fileprivate var word: String {
        "\(self)".replacing("ComposeRefusal.", with: "").replacing("ValiseComposition.", with: "")
            .replacing("Attaching.", with: "").replacing("Editing.", with: "").replacing("Live.", with: "")
            .replacing(" ", with: "")
    }
}

extension OutgoingMessage {
    fileprivate var summary: String {
        switch self {
        case .new(let message, let isLive):
            [
                isLive ? "live" : "new", message.content.type, "\"\(message.content.text)\"",
                message.quote.map {
                    "quote:\($0)".replacing("ValiseComposition.ComposedMessage.Quote.", with: "")
                },
                message.file.map(\.path),
                message.mentions.isEmpty ? nil : "mentions\(message.mentions.values.sorted())",
            ].compactMap(\.self).joined(separator: ":")
        case .update(let message, let isLive):
            "update:\(message.item):\(message.content.type):\"\(message.content.text)\"\(isLive ? ":live" : "")"
        case .forward(let items, let chat):
            "forward:\(chat.reference):\(items.map(String.init).joined(separator: "+"))"
        case .report(let item, let reason, let text): "report:\(item):\(reason):\"\(text)\""
        }
    }
}
