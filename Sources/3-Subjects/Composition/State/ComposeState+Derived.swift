import ValiseChatSchema
import ValiseMediaRules

extension ComposeState {
    /// Whether there is something to send.
    public var isSendEnabled: Bool {
        switch preview {
        case .media(let media): !media.isEmpty
        case .voice: recording == .finished
        case .chatLink, .file: true
        case .none, .link: !hasBlankMessage || context.isForwarding || live != nil || isCompleteReport
        }
    }

    /// Whether a live message cannot be ended, because it would be empty.
    public var isEndLiveDisabled: Bool {
        live != nil && message.isEmpty && preview.isNone && !context.isQuoted
    }

    /// Whether the page behind a link may be looked at.
    public var allowsLinkPreview: Bool {
        (preview.isNone || preview.isLink) && linkPreviews != .disabled
    }

    /// Whether nothing can be attached.
    public var isAttachmentDisabled: Bool { attachmentRefusal != nil }

    /// Why nothing can be attached; nil where something can.
    public var attachmentRefusal: ComposeRefusal? {
        if context.isEditing { return .attachment(.editing) }
        if context.isForwarding { return .attachment(.forwarding) }
        if live != nil { return .attachment(.live) }
        if isSending { return .sending }
        if context.isReporting { return .attachment(.reporting) }
        return preview.isNone || preview.isLink ? nil : .attachment(.attached)
    }

    /// Whether there is nothing that would be lost.
    public var isEmpty: Bool { hasBlankMessage && preview.isNone }

    /// All that keeps the message from being sent; none where it can be.
    public func refusals(_ policy: ComposePolicy) -> [ComposeRefusal] {
        var refusals: [ComposeRefusal] = []
        if !policy.canSend { refusals.append(.chatClosed) }
        if isSending { refusals.append(.sending) }
        if recording == .recording { refusals.append(.recording) }
        if !isSendEnabled || isEndLiveDisabled {
            if case .reported(_, "other") = context {
                refusals.append(.reportWithoutText)
            } else if recording != .recording {
                refusals.append(.empty)
            }
        }
        if preview.isVoice, !policy.takesVoice { refusals.append(.voiceNotAllowed) }
        if hasSimplexLink, !policy.takesSimplexLinks { refusals.append(.simplexLinkNotAllowed) }
        if hasFile, !policy.takesFiles { refusals.append(.fileNotAllowed) }
        if mentions.count > MessageLimits.mentions { refusals.append(.tooManyMentions) }
        if !policy.isNotes, refusals.isEmpty { refusals += sizeRefusals(policy) }
        return refusals
    }

    /// Whether the button sends.
    public func canSend(_ policy: ComposePolicy) -> Bool { refusals(policy).isEmpty }

    /// Whether the button records a voice message instead of sending.
    public var offersVoice: Bool {
        guard message.isEmpty, !context.isEditing, !context.isForwarding, live == nil else { return false }
        return preview.isNone && recording == .none || recording == .recording
    }

    /// Whether the message may go out while it is typed.
    public func offersLive(_ policy: ComposePolicy) -> Bool { liveRefusal(policy) == nil }

    /// Why the message cannot go out while it is typed; nil where it can.
    public func liveRefusal(_ policy: ComposePolicy) -> ComposeRefusal? {
        if policy.isNotes { return .live(.notes) }
        if !policy.canSend { return .chatClosed }
        if isSending { return .sending }
        if live != nil { return .live(.alreadyLive) }
        if !context.isNone { return .live(.context) }
        switch preview {
        case .none, .link: return nil
        case .media(let media) where media.count == 1: return nil
        case .chatLink, .media, .voice, .file: return .live(.attached)
        }
    }

    /// After how many seconds the message may go once it was read; none where it may not.
    public func lifetimes(_ policy: ComposePolicy) -> [Int] {
        policy.allowsTimed && !policy.isNotes && live == nil && !context.isEditing
            ? MessageLimits.lifetimes : []
    }

    /// Whether the text has a link of SimpleX, or an invitation goes with it.
    public var hasSimplexLink: Bool {
        if case .chatLink = preview { return true }
        return parsedMessage.parts.contains { if case .simplexLink? = $0.format { true } else { false } }
    }

    /// Whether the text is white space only.
    var hasBlankMessage: Bool { message.allSatisfy(\.isBlank) }

    /// A reason that says nothing needs a text.
    private var isCompleteReport: Bool {
        if case .reported(_, let reason) = context { reason != "other" } else { false }
    }

    private var hasFile: Bool {
        switch preview {
        case .media, .file: !context.isEditing
        case .none, .link, .chatLink, .voice: false
        }
    }
}
