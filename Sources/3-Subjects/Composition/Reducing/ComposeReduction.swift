import ValiseMediaRules

extension ComposeState {
    /// What an event makes of a message. No event traps in any state: what cannot be done is refused, and changes nothing.
    ///
    /// - Parameters:
    ///   - state: the message so far.
    ///   - event: what happened.
    ///   - policy: what the chat allows.
    /// - Returns: the message from now on, and what has to be done, in this order.
    public static func reduce(
        _ state: ComposeState, _ event: ComposeEvent, _ policy: ComposePolicy
    ) -> (state: ComposeState, effects: [ComposeEffect]) {
        var reduction = ComposeReduction(state: state, policy: policy)
        reduction.take(event)
        return (reduction.state, reduction.effects)
    }
}

/// One step of a message.
struct ComposeReduction {
    var state: ComposeState
    let policy: ComposePolicy
    private(set) var effects: [ComposeEffect] = []

    init(state: ComposeState, policy: ComposePolicy) {
        self.state = state
        self.policy = policy
    }

    mutating func add(_ effect: ComposeEffect) { effects.append(effect) }

    mutating func refuse(_ refusal: ComposeRefusal) { add(.refuse(refusal)) }

    mutating func take(_ event: ComposeEvent) {
        switch event {
        case .textChanged(let text): change(text)
        case .linkDelayPassed(let link): loadPreview(of: link)
        case .linkPreviewsChosen(let answer): choosePreviews(answer)
        case .linkPreviewLoaded(let link, let preview): showPreview(preview, of: link)
        case .linkPreviewFailed(let link): failPreview(of: link)
        case .linkFailurePassed(let link): forgetFailure(of: link)
        case .linkPreviewCancelled: cancelPreview()
        case .mentionChosen(let member, let range): mention(member, replacing: range)
        case .mediaPicked(let media): attach(media)
        case .filePicked(let file): attach(file)
        case .chatLinkShared(let link): share(link)
        case .attachmentRemoved: removeAttachment()
        case .recordingStarted(let file): startRecording(file)
        case .recordingRefused: refuseRecording()
        case .recordingProgressed(let seconds): progressRecording(seconds)
        case .recordingReleased(let held, let seconds):
            if held >= MessageLimits.heldPress { stopRecording(seconds) }
        case .recordingStopped(let seconds): stopRecording(seconds)
        case .voiceCancelled: cancelVoice()
        case .replied(let item): reply(to: item)
        case .edited(let item): edit(item)
        case .forwarded(let items, let chat): forward(items, from: chat)
        case .reported(let item, let reason): report(item, reason: reason)
        case .contextRemoved: removeContext()
        case .liveStarted: startLive()
        case .liveTicked: tickLive()
        case .liveSent(let item): confirmLive(item)
        case .liveCancelled: cancelLive()
        case .sendPressed: send()
        case .sendingSlow: if state.isSending { state.isSendingSlowly = true }
        case .sent: finishSending()
        case .sendingFailed: failSending()
        case .chatLeft: leave()
        case .draftRestored(let draft):
            // What was begun meanwhile counts more.
            if state.isEmpty, state.context.isNone, state.live == nil { restore(draft) }
        case .policyChanged: obey()
        }
    }

    /// Nobody waits any more for the preview that was waited for.
    private mutating func restore(_ draft: ComposeState) {
        state = draft
        guard let link = draft.links.pending else { return }
        if draft.preview.isLink {
            add(.loadLinkPreview(link))
        } else {
            add(.waitForLink(link, seconds: MessageLimits.previewDelay))
        }
    }

    /// Begins anew: what ran is stopped, and files that were made for the message are removed.
    mutating func clear() {
        if state.recording == .recording { add(.stopRecording) }
        for file in state.preview.temporaryFiles { add(.deleteFile(file)) }
        forget()
    }

    /// Begins anew, and leaves the files to who has them now.
    mutating func forget() {
        if let live = state.live {
            add(.stopLiveTimer)
            if live.item == nil { add(.removeLiveItem) }
        }
        state = ComposeState(linkPreviews: state.linkPreviews)
    }
}
