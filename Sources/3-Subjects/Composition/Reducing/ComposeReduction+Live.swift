import ValiseMediaRules

/// Messages that go out while they are typed.
extension ComposeReduction {
    mutating func startLive() {
        if let refusal = state.liveRefusal(policy) { return refuse(refusal) }
        if let refusal = state.refusals(policy).first(where: { $0 != .empty }) { return refuse(refusal) }
        guard policy.hasExplainedLive else { return add(.explainLive) }
        state.live = LiveMessage(item: nil, typed: state.message, sent: nil)
        add(.showLiveItem)
        if !state.hasBlankMessage || !state.preview.isNone { sendLive(state.message) }
        add(.startLiveTimer(interval: MessageLimits.liveInterval))
    }

    /// What was typed since the last time may end within a word: that word waits.
    mutating func tickLive() {
        guard let live = state.live, !state.isSending else { return }
        let text = state.message
        let sent = text == live.typed ? text : LiveText.completeWords(of: text)
        state.live?.typed = text
        guard sent != live.sent, live.sent != nil || !sent.isEmpty else { return }
        sendLive(sent)
    }

    private mutating func sendLive(_ text: String) {
        guard let live = state.live else { return }
        if let item = live.item {
            add(.send([.update(state.updatedMessage(text: text, of: item), isLive: true)]))
        } else {
            // Until it is known as which item it went, nothing can be added to it.
            state.isSending = true
            add(.send(state.newMessages(text: text).map { .new($0, isLive: true) }))
            add(.waitForSending(seconds: MessageLimits.slowSending))
        }
        state.live?.sent = text
    }

    mutating func confirmLive(_ item: Int64) {
        guard let live = state.live, live.item == nil, live.sent != nil else { return }
        state.live?.item = item
        state.isSending = false
        state.isSendingSlowly = false
    }

    mutating func cancelLive() {
        guard let live = state.live else { return }
        guard live.sent == nil, state.message.isEmpty else { return refuse(.live(.sent)) }
        state.live = nil
        add(.stopLiveTimer)
        add(.removeLiveItem)
    }
}

/// What of a text can be sent while it is typed.
enum LiveText {
    /// The text up to its last character that is neither a letter nor a digit.
    static func completeWords(of text: String) -> String {
        guard let end = text.lastIndex(where: { !$0.isLetter && !$0.isNumber }) else { return "" }
        return String(text[...end])
    }
}
