package import ValiseChatSchema
package import ValiseEncoding

/// An item of a conversation: a message, or something that happened.
package struct ConversationItem: Sendable {
    /// A name that stays the same in all exports: the ID that participants share, and in groups that of its author; of what has
    /// none, its row.
    package let key: String
    package let row: Int64
    package let isSent: Bool
    package let author: Participant
    /// When a relay received it.
    package let time: ItemTime
    /// When this device received it.
    package let createdAt: ItemTime
    package let content: ItemContent
    /// The content as it is stored, which is valid JSON or not.
    package let storedContent: String
    /// What can always be read and searched.
    package let text: String
    package let quote: ItemQuote?
    package let forward: ItemForward?
    package let reactions: [ItemReaction]
    /// All texts that it had, the first one first; none for an item that never changed.
    package let versions: [ItemVersion]
    /// The members that its text mentions, by the names in the text.
    package let mentions: [String: Participant]
    package let deletion: ItemDeletion?
    package let isEdited: Bool
    /// Whether it is still being typed.
    package let isLive: Bool
    /// How long it lives once it was read, in seconds; nil for ever.
    package let lifetime: Int64?
    /// When it goes; nil where that is not known yet.
    package let deletesAt: ItemTime?
    /// As it is stored, such as `rcv_new`.
    package let status: String?
    package let receipts: [ItemReceipt]
    package let usedProxy: Bool
    package let mentionsUser: Bool
    package let signature: String?
    package var file: ItemFile?
    /// Since when it is no longer in the account that it was exported from, as a time; nil for one that is.
    package var gone: String?

    /// Whether the stored content is JSON, understood or not.
    package var hasValidContent: Bool { content.kind != nil || content.fields != .null }

    /// Whether the user has not seen it.
    package var isUnread: Bool { status == "rcv_new" }

    /// The message, where it is one.
    package var message: MessageContent? { content.message }

    /// Its text with formats, as the app parses it on each view.
    package var formattedText: FormattedText { FormattedText(message?.text ?? text) }
}

/// A time as it is stored.
package struct ItemTime: Sendable, Equatable {
    package let text: String
    /// Nil for what is no time.
    package let value: UTCTime?

    /// - Parameter text: as it is stored.
    package init(_ text: String) {
        self.text = text
        value = UTCTime(text)
    }

    /// - Parameter time: as it is written where a store has no texts of times.
    init(_ time: UTCTime) { (text, value) = (time.text, time) }
}

/// What an item answers, as its author quoted it.
package struct ItemQuote: Sendable {
    /// The ``ConversationItem/key`` of the item, which may be gone; nil where the quote names none.
    package let key: String?
    /// Nil where nobody is named.
    package let author: Participant?
    package let sentAt: ItemTime?
    package let content: MessageContent?
    /// The content as it is stored; nil where that is no valid JSON.
    package let storedContent: String?
    /// What can always be read.
    package let text: String
}

/// Where an item was forwarded from.
package struct ItemForward: Sendable, Equatable {
    /// `unknown`, `contact` or `group`.
    package let kind: String
    /// The name of the conversation; nil where it is not told.
    package let name: String?
    /// Whether the user wrote the original.
    package let wasSent: Bool?
    /// The ``Conversation/key`` of the conversation; nil where it is gone.
    package let conversation: String?
}

/// A reaction, and whose.
package struct ItemReaction: Sendable, Equatable {
    /// The emoji; `?` for what is none.
    package let emoji: String
    package let authors: [Participant]

    /// How many there are.
    package var count: Int { authors.count }
    /// Whether the user's own is among them.
    package var includesSelf: Bool { authors.contains(where: \.isSelf) }
}

/// A text that an item had.
package struct ItemVersion: Sendable {
    package let text: String
    package let time: ItemTime
}

/// That an item is marked as deleted.
package struct ItemDeletion: Sendable, Equatable {
    /// Who did it.
    package enum Kind: String, Sendable {
        /// Its sender, or the user.
        case deleted
        case moderated
        /// The user blocked its author.
        case blocked
        /// The administrators blocked its author.
        case blockedByAdministrator = "blocked-by-administrator"
    }

    package let kind: Kind
    /// The moderator; nil where none is named.
    package let by: Participant?
    package let time: ItemTime?

    /// Whether the app covers it for what its author did not want to be read any more.
    package var isWithdrawn: Bool { kind != .blocked }
}

/// What became of an item on its way to a member.
package struct ItemReceipt: Sendable {
    package let member: Participant
    /// As it is stored, such as `snd_rcvd ok complete`.
    package let status: String
}

/// The file of an item.
package struct ItemFile: Sendable {
    /// The row of the table of files.
    package let row: Int64
    /// The name that the sender's file had.
    package let name: String
    /// Below the files folder, or absolute; nil for a file that nobody accepted.
    package let path: String?
    /// Of the content, in bytes; nil where it is not known.
    package let size: Int64?
    package let status: String?
    package let isEncrypted: Bool
    /// Where it is in an export, and in which state; nil where none was looked for.
    package var exported: ExportedMedia?
}

/// A file of an item in an export.
package struct ExportedMedia: Sendable, Equatable {
    /// What is the matter with it.
    package enum State: String, Sendable, CaseIterable {
        case present
        /// It was received once, and is not there.
        case missing
        /// It was never received whole.
        case unfinished
        /// It is there, and is not what it was.
        case damaged
        /// It is there, and was left out of the export.
        case leftOut = "left-out"
    }

    package let state: State
    /// Below the export's folder; nil where there is none.
    package let path: String?

    package init(_ state: State, path: String? = nil) {
        self.state = state
        self.path = path
    }

    /// The path from a view: each form has a folder of its own in the export's.
    var pathFromView: String? { path.map { "../\($0)" } }
}

extension ItemFile {
    /// Whether the item says that the file is here. Only the files folder shows whether it is.
    package var isReceived: Bool { status.map { FileStatus(parsing: $0).presence == .yes } ?? (path != nil) }
}
