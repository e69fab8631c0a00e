import ValiseChatSchema
import ValiseMediaRules

/// What the message is about.
extension ComposeReduction {
    mutating func reply(to item: ComposeItem) {
        guard !state.isSending else { return refuse(.sending) }
        if state.context.isEditing { clear() }
        state.context = .quoted(item)
    }

    mutating func report(_ item: ComposeItem, reason: String) {
        guard policy.allowsReports, policy.chat.kind == .group else { return refuse(.reportNotAllowed) }
        guard !item.isSent else { return refuse(.reportOfOwn) }
        guard !state.isSending else { return refuse(.sending) }
        guard state.live == nil, state.preview.isNone || state.preview.isLink else {
            return refuse(.attachment(.attached))
        }
        if state.context.isEditing { clear() }
        state.context = .reported(item, reason: reason)
    }

    mutating func forward(_ items: [ComposeItem], from chat: ComposeChat) {
        guard !items.isEmpty else { return refuse(.empty) }
        guard !state.isSending else { return refuse(.sending) }
        guard state.live?.item == nil else { return refuse(.attachment(.live)) }
        clear()
        state.context = .forwarding(items, from: chat)
    }

    mutating func edit(_ item: ComposeItem) {
        guard !state.isSending else { return refuse(.sending) }
        guard state.live == nil else { return refuse(.notEditable(.live)) }
        if let reason = item.editingRefusal(policy) { return refuse(.notEditable(reason)) }
        clear()
        state.context = .editing(item)
        state.message = item.typedText
        state.preview = item.preview
        state.mentions = item.mentions
        state.recording = state.preview.isVoice ? .finished : .none
        if state.preview.isLink {
            // As the text has it: the address of the preview may be that of where it led.
            let link = state.parsedMessage.firstWebLink(without: [])
            state.links.found = link
            state.links.shown = link
        }
    }

    mutating func removeContext() {
        guard !state.isSending else { return refuse(.sending) }
        switch state.context {
        case .quoted, .forwarding, .reported: state.context = .none
        case .editing: clear()
        case .none: break
        }
    }
}

extension ComposeItem {
    /// Why it cannot be edited; nil where it can.
    public func editingRefusal(_ policy: ComposePolicy) -> ComposeRefusal.Editing? {
        if !isSent { return .notOwn }
        if isDeleted { return .deleted }
        if isLive { return .live }
        switch content.type {
        case "text", "link", "image", "video", "file", "chat": break
        case "voice": return .voice
        default: return .unknown
        }
        if policy.isNotes { return nil }
        if isForwarded { return .forwarded }
        return policy.now - time > MessageLimits.editableSeconds ? .tooOld : nil
    }

    /// The text that is edited: an invitation to a chat stands behind it and is not.
    var typedText: String {
        guard let link = content.chatLink?.link, content.text.hasSuffix(link) else { return content.text }
        let words = content.text.dropLast(link.count)
        return String(words.last == "\n" ? words.dropLast() : words)
    }

    /// What goes with it.
    var preview: ComposePreview {
        switch content.type {
        case "link": content.link.map { .link($0) } ?? .none
        case "chat": content.chatLink.map { .chatLink($0) } ?? .none
        case "image": .media([AttachedMedia(preview: content.image ?? "", file: file)])
        case "video":
            .media([
                AttachedMedia(
                    preview: content.image ?? "", seconds: Int(clamping: content.duration ?? 0), file: file)
            ])
        case "voice":
            .voice(file ?? ComposedFile(path: ""), seconds: Int(clamping: content.duration ?? 0))
        case "file": .file(file ?? ComposedFile(path: ""))
        default: .none
        }
    }
}
