import Fuzzing
import ValiseChatSchema
import ValiseComposition
import ValiseMediaRules

/// Drafts, pages behind links, texts that are split, and messages to which anything happens. The first byte says which.
enum ComposeFuzzing {
    static func run(_ bytes: [UInt8]) {
        guard let kind = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch kind % 4 {
        case 0: draft(String(decoding: rest, as: UTF8.self))
        case 1: page(rest)
        case 2: split(String(decoding: rest, as: UTF8.self))
        default: events(rest)
        }
    }

    private static let policy = ComposePolicy(ComposeChat(.group, id: 1))

    private static func draft(_ text: String) {
        guard let state = ComposeState(draft: text) else { return }
        FuzzRun.require(ComposeState(draft: state.draft) == state, "a draft is kept as it was read")
        _ = state.refusals(policy)
        if state.isSendEnabled {
            FuzzRun.require(!state.composedMessages(policy).isEmpty, "what can be sent is something")
        }
    }

    private static func page(_ bytes: [UInt8]) {
        let outline = PageOutline(html: bytes, at: "https://a.example/b/c")
        FuzzRun.require(outline.title.count <= PageOutline.mostCharacters.title, "a title is cut")
        FuzzRun.require(
            outline.description.count <= PageOutline.mostCharacters.description, "a description is cut")
        let lines = [outline.title, outline.description]
        FuzzRun.require(!lines.contains { $0.contains(where: \.isNewline) }, "a title is one line: \(lines)")
        if let image = outline.image {
            FuzzRun.require(
                image.hasPrefix("https://") || image.hasPrefix("http://"), "a picture is in the web: \(image)"
            )
        }
    }

    /// A small limit makes pieces of short texts.
    private static func split(_ text: String) {
        let state = ComposeState.reduce(ComposeState(), .textChanged(text), policy).state
        FuzzRun.require(state.parsedMessage == FormattedText(text), "the parsed text is that of the text")
        let pieces = state.textPieces(bytes: 64)
        func bare(_ text: String) -> [Unicode.Scalar] {
            text.unicodeScalars.filter { !$0.properties.isWhitespace }
        }
        let parts = FormattedText(text)
        // The parser writes colors by their numbers.
        let whole = parts.isUnformatted ? text : parts.markup
        FuzzRun.require(pieces.flatMap(bare) == bare(whole), "pieces lose nothing: \(pieces)")
        FuzzRun.require(!pieces.contains(""), "no piece is empty")
    }

    /// Each byte is an event.
    private static func events(_ bytes: [UInt8]) {
        var state = ComposeState(linkPreviews: .enabled)
        for byte in bytes.prefix(200) {
            let (after, effects) = ComposeState.reduce(state, event(byte), policy)
            if effects.count == 1, case .refuse(let refusal) = effects[0], refusal != .microphone {
                FuzzRun.require(after == state, "what is refused changes nothing: \(refusal)")
            }
            if after.isSendEnabled {
                FuzzRun.require(!after.composedMessages(policy).isEmpty, "what can be sent is something")
            }
            state = after
        }
        let kept = ComposeState(draft: state.draft)
        FuzzRun.require(kept?.message == state.message, "a draft has the text")
    }

    private static let file = ComposedFile(path: "a.jpg", size: 5, isTemporary: true)
    private static let link = "https://a.example/b"

    private static func event(_ byte: UInt8) -> ComposeEvent {
        let member = ComposeMember(id: Int64(byte & 3), name: byte & 4 == 0 ? "kim" : "a b")
        let item = ComposeItem(id: Int64(byte), content: .text("old"), isSent: byte & 8 == 0, time: 0)
        let texts = ["", "a", "word two. ", link, "@kim *b*", " ", "#x#", "\n"]
        let all: [ComposeEvent] = [
            .textChanged(texts[Int(byte >> 5)]), .linkDelayPassed(link), .linkPreviewFailed(link),
            .linkFailurePassed(link),
            .linkPreviewLoaded(link, .init(uri: link, title: "t", description: "", image: nil)),
            .linkPreviewCancelled,
            .mentionChosen(member, replacing: 0..<Int(byte >> 6)),
            .mediaPicked([.init(preview: "data:,", file: file)]),
            .filePicked(file), .attachmentRemoved, .recordingStarted(file), .recordingStopped(seconds: 4),
            .voiceCancelled,
            .replied(item), .edited(item), .forwarded([item], from: ComposeChat(.notes, id: 2)),
            .reported(item, reason: "other"), .contextRemoved, .liveStarted, .liveTicked, .liveSent(item: 9),
            .liveCancelled,
            .sendPressed, .sendingSlow, .sent, .sendingFailed, .chatLeft, .policyChanged, .recordingRefused,
            .recordingProgressed(seconds: Double(byte)), .linkPreviewsChosen(.notNow),
            .recordingReleased(held: 2, seconds: 2),
        ]
        return all[Int(byte) % all.count]
    }
}
