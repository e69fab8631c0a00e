import ValiseEncoding
import ValiseMediaRules

/// Why something cannot be done with a message now.
public enum ComposeRefusal: Sendable, Equatable {
    /// What keeps something from being attached.
    public enum Attaching: Sendable, Equatable {
        /// The text of an item is changed.
        case editing
        /// Items are forwarded.
        case forwarding
        /// The message goes out while it is typed.
        case live
        /// An item is reported.
        case reporting
        /// Something is attached.
        case attached
    }

    /// What keeps an item from being edited.
    public enum Editing: Sendable, Equatable {
        /// Somebody else wrote it.
        case notOwn
        /// A day has passed.
        case tooOld
        /// It was forwarded.
        case forwarded
        /// It is deleted.
        case deleted
        /// It is a voice message.
        case voice
        /// It, or the message that is composed, is still being typed.
        case live
        /// Its kind is not known.
        case unknown
    }

    /// What keeps a message from going out while it is typed.
    public enum Live: Sendable, Equatable {
        /// Nobody reads notes.
        case notes
        /// It does already.
        case alreadyLive
        /// It is about an item.
        case context
        /// Something is attached that cannot change.
        case attached
        /// Something was sent, and cannot be taken back.
        case sent
    }

    /// There is nothing to send.
    case empty
    /// It is being sent.
    case sending
    /// The voice message is not finished.
    case recording
    /// The user may not write here.
    case chatClosed
    /// A report without a reason has no text.
    case reportWithoutText
    /// Voice messages are off.
    case voiceNotAllowed
    /// Files are off.
    case fileNotAllowed
    /// Links of SimpleX are off.
    case simplexLinkNotAllowed
    /// Reports are off.
    case reportNotAllowed
    /// The user's own message cannot be reported.
    case reportOfOwn
    /// It would mention too many.
    case tooManyMentions
    /// The member cannot be mentioned here.
    case mentionNotAllowed
    /// Too many pictures and films were chosen.
    case tooManyMedia(Int)
    /// A file is too large; sizes in bytes.
    case fileTooLarge(name: String, size: Int64, limit: Int64)
    /// A preview is too long; in characters.
    case previewTooLong(Int)
    /// The message is too large; sizes in bytes.
    case messageTooLarge(size: Int, limit: Int)
    /// Nothing can be attached.
    case attachment(Attaching)
    /// The attachment cannot be removed.
    case notRemovable
    /// A voice message cannot begin here.
    case voiceNotOffered
    /// The item cannot be edited.
    case notEditable(Editing)
    /// The message cannot go out while it is typed.
    case live(Live)
    /// The microphone cannot be used.
    case microphone
}

extension ComposeRefusal {
    /// One sentence for the user.
    public var text: String {
        switch self {
        case .empty: "nothing to send: the message is empty"
        case .sending: "the message is being sent"
        case .recording: "the voice message is not finished"
        case .chatClosed: "you cannot send messages in this chat"
        case .reportWithoutText: "a report with the reason \"other\" needs a text"
        case .voiceNotAllowed: "voice messages are not allowed in this chat"
        case .fileNotAllowed: "files and media are not allowed in this chat"
        case .simplexLinkNotAllowed: "SimpleX links are not allowed in this group"
        case .reportNotAllowed: "reports are not allowed in this chat"
        case .reportOfOwn: "your own message cannot be reported"
        case .tooManyMentions: "a message mentions at most \(MessageLimits.mentions) members"
        case .mentionNotAllowed: "this member cannot be mentioned here"
        case .tooManyMedia(let count):
            "\(Count.text(count, "file")) chosen: at most \(MessageLimits.mediaAtOnce) pictures and videos at once"
        case .fileTooLarge(let name, let size, let limit): Self.tooLarge(name, Count.bytes(size, and: limit))
        case .previewTooLong(let count):
            "the preview has \(Count.text(count, "character")): at most \(MessageLimits.previewCharacters)"
        case .messageTooLarge(let size, let limit):
            "the message has \(Count.text(size, "byte")) on the wire: at most \(limit)"
        case .attachment(let reason): "nothing can be attached: \(reason.text)"
        case .notRemovable: "there is no attachment to remove"
        case .voiceNotOffered: "a voice message starts in an empty message only"
        case .notEditable(let reason): "this message cannot be edited: \(reason.text)"
        case .live(let reason): "not possible for a live message: \(reason.text)"
        case .microphone: "no permission to use the microphone"
        }
    }

    private static func tooLarge(_ name: String, _ sizes: (String, String)) -> String {
        "\(name): \(sizes.0) is more than the limit of \(sizes.1)"
    }
}

extension ComposeRefusal.Attaching {
    fileprivate var text: String {
        switch self {
        case .editing: "a message is being edited"
        case .forwarding: "messages are being forwarded"
        case .live: "the message is live"
        case .reporting: "a message is being reported"
        case .attached: "remove the present attachment first"
        }
    }
}

extension ComposeRefusal.Editing {
    fileprivate var text: String {
        switch self {
        case .notOwn: "somebody else sent it"
        case .tooOld: "it is older than 24 hours"
        case .forwarded: "it was forwarded"
        case .deleted: "it was deleted"
        case .voice: "it is a voice message"
        case .live: "it is live"
        case .unknown: "its type is unknown"
        }
    }
}

extension ComposeRefusal.Live {
    fileprivate var text: String {
        switch self {
        case .notes: "private notes have no reader"
        case .alreadyLive: "it is live already"
        case .context: "it replies to, edits, forwards or reports a message"
        case .attached: "remove the attachment first"
        case .sent: "a part of it was sent"
        }
    }
}
