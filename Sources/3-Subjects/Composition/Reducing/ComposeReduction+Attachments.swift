import ValiseChatSchema
import ValiseMediaRules

/// What goes with the text.
extension ComposeReduction {
    mutating func attach(_ picked: [AttachedMedia?]) {
        if let refusal = state.attachmentRefusal { return refuse(refusal) }
        let media = picked.compactMap(\.self)
        guard media.count <= MessageLimits.mediaAtOnce else { return refuse(.tooManyMedia(media.count)) }
        for medium in media {
            if let refusal = refusal(of: medium) { return refuse(refusal) }
        }
        forgetLinks()
        state.preview = media.isEmpty ? .none : .media(media)
    }

    private func refusal(of medium: AttachedMedia) -> ComposeRefusal? {
        if medium.preview.count > MessageLimits.previewCharacters {
            return .previewTooLong(medium.preview.count)
        }
        return medium.file.flatMap(refusal)
    }

    private func refusal(of file: ComposedFile) -> ComposeRefusal? {
        guard let size = file.size, let limit = policy.fileLimit, size > limit else { return nil }
        return .fileTooLarge(name: file.name, size: size, limit: limit)
    }

    mutating func attach(_ file: ComposedFile) {
        if let refusal = state.attachmentRefusal ?? refusal(of: file) { return refuse(refusal) }
        forgetLinks()
        state.preview = .file(file)
    }

    mutating func share(_ link: MessageContent.ChatLink) {
        if let refusal = state.attachmentRefusal { return refuse(refusal) }
        forgetLinks()
        state.preview = .chatLink(link)
    }

    /// The preview of a page gives way to what is attached.
    private mutating func forgetLinks() { state.links = LinkMemory() }

    mutating func removeAttachment() {
        guard !state.context.isEditing else { return refuse(.notRemovable) }
        switch state.preview {
        case .media, .file, .chatLink:
            for file in state.preview.temporaryFiles { add(.deleteFile(file)) }
            state.preview = .none
        case .none, .link, .voice: refuse(.notRemovable)
        }
    }

    // MARK: Voice

    mutating func startRecording(_ file: ComposedFile) {
        guard policy.takesVoice else { return refuse(.voiceNotAllowed) }
        guard policy.canSend else { return refuse(.chatClosed) }
        guard !state.isSending else { return refuse(.sending) }
        guard state.offersVoice, state.recording == .none, !state.context.isReporting else {
            return refuse(.voiceNotOffered)
        }
        state.links = LinkMemory()
        state.preview = .voice(file, seconds: 0)
        state.recording = .recording
        add(.stopPlayback)
        add(.startRecording(file, limit: MediaLimits.voiceSeconds))
    }

    /// The permission comes after the button.
    mutating func refuseRecording() {
        refuse(.microphone)
        guard state.recording == .recording else { return }
        state.recording = .none
        for file in state.preview.temporaryFiles { add(.deleteFile(file)) }
        state.preview = .none
    }

    mutating func progressRecording(_ seconds: Double) {
        guard state.recording == .recording, case .voice(let file, _) = state.preview else { return }
        if seconds >= Double(MediaLimits.voiceSeconds) { return stopRecording(seconds) }
        state.preview = .voice(file, seconds: Self.whole(seconds))
    }

    mutating func stopRecording(_ seconds: Double) {
        guard state.recording == .recording, case .voice(let file, _) = state.preview else { return }
        add(.stopRecording)
        state.preview = .voice(file, seconds: Self.whole(seconds))
        state.recording = .finished
    }

    private static func whole(_ seconds: Double) -> Int {
        guard seconds.isFinite else { return seconds > 0 ? MediaLimits.voiceSeconds : 0 }
        return Int(min(max(0, seconds.rounded()), Double(MediaLimits.voiceSeconds)))
    }

    mutating func cancelVoice() {
        guard state.preview.isVoice, !state.context.isEditing, !state.isSending else {
            return refuse(.notRemovable)
        }
        clear()
    }

    /// What is no longer allowed ends.
    mutating func obey() {
        if !policy.canSend {
            clear()
            add(.clearDraft)
        } else if state.preview.isVoice, !policy.takesVoice, !state.context.isEditing {
            clear()
        }
    }
}
