import ValiseComposition
package import ValiseEncoding

/// What would be sent, and what keeps it from being sent.
package struct ComposedReport: OperationReport {
    /// One message.
    package struct Message: Encodable, Sendable {
        /// `new`, `update`, `forward`, `report`.
        package let kind: String
        /// Such as `text`, `image`; nil for what has no content of its own.
        package let content: String?
        package let text: String
        /// As the official API takes it; nil where its command says all.
        package let message: AnyJSON?
        /// How large it is on the wire.
        package let size: MessageLimitCheck?
    }

    /// The chat, as `ConversationKey` names it.
    package let chat: String
    /// As it is shown.
    package let name: String
    /// As commands of the API name it.
    package let reference: String
    /// Whether it can be sent.
    package let isSendable: Bool
    package let messages: [Message]
    /// For the terminal client and its WebSocket API, in this order; none where it cannot be sent.
    package let commands: [String]
    /// Why it cannot be sent, one sentence each.
    package let refusals: [String]
    package let limits: [MessageLimitCheck]
    /// The loudest moment of each part of a voice message, from 0 to 100; nil where there is none.
    package let waveform: [Int]?

    init(
        chat: ComposableChat, messages: [OutgoingMessage], quoted: ComposeItem?, refusals: [ComposeRefusal],
        limits: [MessageLimitCheck], waveform: [Int]?
    ) {
        self.chat = chat.conversation.key
        name = chat.conversation.name
        reference = chat.policy.chat.reference
        self.messages = messages.map { Message($0, answering: quoted, chat.policy) }
        let sizes = self.messages.compactMap(\.size)
        self.limits = limits + sizes
        self.refusals =
            refusals.map(\.text)
            + limits.filter(\.isBroken).compactMap(\.sentence)
        isSendable = self.refusals.isEmpty && !messages.isEmpty
        commands = isSendable ? OutgoingMessage.commands(messages, in: chat.policy.chat) : []
        self.waveform = waveform
    }
}

extension ComposedReport.Message {
    fileprivate init(_ message: OutgoingMessage, answering item: ComposeItem?, _ policy: ComposePolicy) {
        // Private notes go nowhere.
        let isSent = policy.chat.kind != .notes
        let wire = isSent ? WireSize(of: message, answering: item) : nil
        size = wire.map { .message($0, compresses: policy.compresses) }
        switch message {
        case .new(let composed, _):
            (kind, content, text) = ("new", composed.content.type, composed.content.text)
            self.message = Self.object(composed.json)
        case .update(let updated, _):
            (kind, content, text) = ("update", updated.content.type, updated.content.text)
            self.message = Self.object(updated.json)
        case .forward: (kind, content, text, self.message) = ("forward", nil, "", nil)
        case .report(_, let reason, let words):
            (kind, content, text, self.message) = ("report", reason, words, nil)
        }
    }

    private static func object(_ text: String) -> AnyJSON? {
        try? JSONText.decode(AnyJSON.self, from: Array(text.utf8))
    }
}

extension MessageLimitCheck {
    /// Where no refusal says it.
    fileprivate var sentence: String? {
        switch kind {
        case .voiceDuration: "the voice message is \(value) s long: at most \(limit)"
        case .messageSize, .previewSize, .pictureSize, .fileSize, .mentions: nil
        }
    }
}
