import ValiseChatSchema
import ValiseMediaRules
import ValiseSessionStore

/// Divides a message into what items can have: a content each, with at most one file.
struct SessionParts {
    struct Part {
        let content: MessageContent
        var attachment: SessionAttachment?
        /// Of the attachment among all of the message.
        var place = 0
    }

    private(set) var list: [Part] = []

    /// - Parameters:
    ///   - message: what is divided.
    ///   - text: its text, as people read it.
    init(_ message: SessionMessage, text: String?) {
        var text = text
        if case .communityInvitation(let name, let address?) = message.content {
            list.append(Part(content: Self.invitation(name, address)))
        }
        // The pictures of previews have numbers behind those of the attachments.
        var place = message.attachments.count
        for preview in message.linkPreviews {
            let content = Self.link(preview, text: text)
            list.append(Part(content: content, attachment: preview.picture, place: place))
            place += 1
            text = nil
        }
        for (index, attachment) in message.attachments.enumerated() where Self.isShown(attachment) {
            list.append(
                Part(
                    content: Self.content(attachment, text: text), attachment: attachment, place: index))
            text = nil
        }
        if let text { list.append(Part(content: .text(text))) }
        if list.isEmpty { list.append(Part(content: .text(""))) }
    }

    /// Smaller pictures are made of others, and quoted ones belong to other messages.
    private static func isShown(_ attachment: SessionAttachment) -> Bool {
        switch attachment.role {
        case .attachment, .voice: true
        case .thumbnail, .quoted, .linkPreview: false
        }
    }

    private static func invitation(_ name: String?, _ address: String) -> MessageContent {
        let title = name ?? address
        return .link(
            "invitation to the community \(title)",
            preview: .init(uri: address, title: title, description: "", image: nil))
    }

    private static func link(_ preview: SessionLinkPreview, text: String?) -> MessageContent {
        .link(
            text ?? "",
            preview: .init(uri: preview.address, title: preview.title ?? "", description: "", image: nil))
    }

    private static func content(_ attachment: SessionAttachment, text: String?) -> MessageContent {
        let words = [text, attachment.caption].compactMap { $0 }.joined(separator: "\n")
        let seconds = attachment.duration.flatMap { Int(exactly: $0.rounded()) } ?? 0
        return switch SessionAttachmentFile.kind(of: attachment) {
        case .image: .image(words, preview: "")
        case .video: .video(words, preview: "", seconds: seconds)
        case .voice: .voice(words, seconds: seconds)
        case .file: .file(words)
        }
    }
}
