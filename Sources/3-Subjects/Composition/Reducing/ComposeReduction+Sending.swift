import ValiseMediaRules

/// What becomes of the message in the end.
extension ComposeReduction {
    mutating func send() {
        if let refusal = state.refusals(policy).first { return refuse(refusal) }
        let messages = state.composedMessages(policy)
        let isUnchanged = state.isUnchangedEdit
        state.isSending = true
        if let live = state.live {
            add(.stopLiveTimer)
            if live.item == nil {
                add(.removeLiveItem)
                state.live = nil
            }
        }
        // There is nothing to tell anybody.
        guard !isUnchanged else { return finishSending() }
        add(.send(messages))
        add(.waitForSending(seconds: MessageLimits.slowSending))
    }

    mutating func finishSending() {
        guard state.isSending else { return }
        let wasForwarding = state.context.isForwarding
        // The chat program has the files now.
        state.live = nil
        forget()
        add(wasForwarding ? .restoreDraft : .clearDraft)
    }

    /// What was composed is kept, so that it can be sent again.
    mutating func failSending() {
        guard state.isSending else { return }
        state.isSending = false
        state.isSendingSlowly = false
        guard state.live != nil else { return }
        if state.live?.item == nil {
            state.live = nil
            add(.stopLiveTimer)
            add(.removeLiveItem)
        } else {
            // The next tick sends all of it.
            state.live?.sent = ""
            add(.startLiveTimer(interval: MessageLimits.liveInterval))
        }
    }

    mutating func leave() {
        if let live = state.live, live.item != nil || !state.hasBlankMessage {
            // What was typed is sent as it is, and the message is no longer live.
            if let item = live.item {
                add(.send([.update(state.updatedMessage(text: state.message, of: item), isLive: false)]))
            } else if !state.isSending {
                add(.send(state.newMessages(text: state.message).map { .new($0, isLive: false) }))
            }
            forget()
            add(.clearDraft)
        } else if state.isSending {
            add(.clearDraft)
        } else if state.isEmpty, state.context.isNone {
            clear()
            add(.clearDraft)
        } else {
            keepOrClear()
        }
    }

    private mutating func keepOrClear() {
        guard policy.keepsDrafts, !state.isUnchangedEdit else {
            clear()
            add(.clearDraft)
            return
        }
        if state.recording == .recording {
            add(.stopRecording)
            state.recording = .finished
        }
        if state.live != nil {
            add(.stopLiveTimer)
            add(.removeLiveItem)
            state.live = nil
        }
        add(.saveDraft(state))
        state = ComposeState(linkPreviews: state.linkPreviews)
    }
}
