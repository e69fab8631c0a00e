import ValiseDatabase

/// Where an item is.
enum SampleChat {
    case direct(SampleContact)
    case group(SampleGroup)
    /// The chat of one member with the admins; nil for the user's own.
    case support(SampleGroup, SampleMember?)
    case notes(SampleUser)

    var contact: Int? { if case .direct(let contact) = self { contact.id } else { nil } }
    var noteFolder: Int? { if case .notes(let user) = self { user.noteFolder } else { nil } }
    var group: SampleGroup? {
        switch self {
        case .group(let group), .support(let group, _): group
        default: nil
        }
    }
    var user: Int {
        switch self {
        case .direct(let contact): contact.user
        case .notes(let user): user.id
        case .group(let group), .support(let group, _): group.user
        }
    }
    /// One number for each chat, to find what was said in it last.
    var key: Int {
        switch self {
        case .direct(let contact): contact.id
        case .group(let group): 100_000 + group.id
        case .support(let group, let member): 1_000_000 + 10_000 * group.id + (member?.id ?? 0)
        case .notes(let user): 200_000 + user.id
        }
    }
    var name: String {
        switch self {
        case .direct(let contact): contact.uniqueName
        case .group(let group), .support(let group, _): group.name
        case .notes: "Private notes"
        }
    }
}

/// A row of `chat_items` on its way into the database.
struct ItemRow {
    let id: Int
    let chat: SampleChat
    var isSent: Bool
    var member: SampleMember?
    var time: SampleTime
    var sharedID: [UInt8]
    var content: OrderedJSON
    var contentTag: String?
    var messageTag: String?
    var text: String
    var hasLink = false
    var status = "rcv_read"
    var isShownAsGroup = false
    /// When it came into the database, where that is not a second after it was sent.
    var createdAt: SampleTime?
    /// Columns that few items have.
    var extra = ItemExtra()

    static let columns =
        [
            "chat_item_id", "user_id", "contact_id", "group_id", "note_folder_id", "group_member_id",
            "created_by_msg_id", "item_sent", "item_ts", "item_content", "item_content_tag", "item_text",
            "item_status", "shared_msg_id", "msg_content_tag", "has_link", "item_viewed", "group_scope_tag",
            "group_scope_group_member_id", "show_group_as_sender", "include_in_history", "via_proxy",
            "created_at", "updated_at",
        ] + ItemExtra.columns

    func values(message: Int?) -> [Value] {
        var scope: SampleMember?
        var isSupport = false
        if case .support(_, let member) = chat { (scope, isSupport) = (member, true) }
        let createdText = Value.time(
            createdAt ?? SampleTime(seconds: time.seconds + (isSent ? 0 : 1)))
        return [
            .number(id), .number(chat.user), .optional(chat.contact), .optional(chat.group?.id),
            .optional(chat.noteFolder), .optional(member?.id), .optional(message), .flag(isSent), .time(time),
            .text(content.line), .optional(contentTag), .text(text), .text(status),
            sharedID.isEmpty ? .null : .blob(sharedID),
            .optional(messageTag), .flag(hasLink), .flag(status == "rcv_read"),
            isSupport ? "member_support" : .null, .optional(scope?.id), .flag(isShownAsGroup),
            .flag(chat.group != nil && messageTag != nil), isSent && id % 7 == 0 ? 1 : .null,
            createdText, createdText,
        ] + extra.values
    }
}

extension ItemRow {
    /// Makes it a message in its direction.
    mutating func fill(_ message: SampleMessage) {
        let tag = isSent ? "sndMsgContent" : "rcvMsgContent"
        contentTag = tag
        content = .one(tag, .one("msgContent", message.json))
        messageTag = message.tag
        text = message.itemText
        hasLink = message.hasLink
    }
}

/// Deletion, editing, timers, quotes and forwards of an item.
struct ItemExtra {
    var deleted = 0
    var deletedAt: SampleTime?
    var deletedBy: Int?
    var isEdited = false
    /// 1 while it is typed, 0 afterwards; nil for what never was live.
    var live: Int?
    var timeToLive: Int?
    var deleteAt: SampleTime?
    var mentionsUser = false
    var forwardedBy: Int?
    var quote: Quote?
    var forward: Forward?
    /// `verified`, `no_key`; nil for what is not signed.
    var signature: String?

    /// What an item answers to.
    struct Quote {
        var sharedID: [UInt8]
        var sentAt: SampleTime
        var content: OrderedJSON
        var isSent: Bool?
        var memberID: [UInt8]?
    }

    /// Where an item was forwarded from.
    struct Forward {
        /// `unknown`, `contact` or `group`.
        var tag: String
        var chatName: String?
        var isSent: Bool?
        var contact: Int?
        var group: Int?
        var item: Int?
    }

    static let columns = [
        "item_deleted", "item_deleted_ts", "item_deleted_by_group_member_id", "item_edited", "item_live",
        "timed_ttl", "timed_delete_at", "user_mention", "forwarded_by_group_member_id",
        "quoted_shared_msg_id", "quoted_sent_at", "quoted_content", "quoted_sent", "quoted_member_id",
        "fwd_from_tag", "fwd_from_chat_name", "fwd_from_msg_dir", "fwd_from_contact_id", "fwd_from_group_id",
        "fwd_from_chat_item_id", "msg_signed",
    ]

    var values: [Value] {
        [
            .number(deleted), .optional(deletedAt?.text), .optional(deletedBy), isEdited ? 1 : .null,
            .optional(live), .optional(timeToLive), .optional(deleteAt?.text), .flag(mentionsUser),
            .optional(forwardedBy), .optional(quote?.sharedID), .optional(quote?.sentAt.text),
            .optional(quote?.content.line), .optional(quote?.isSent.map { $0 ? 1 : 0 }),
            .optional(quote?.memberID), .optional(forward?.tag), .optional(forward?.chatName),
            .optional(forward?.isSent.map { $0 ? 1 : 0 }), .optional(forward?.contact),
            .optional(forward?.group), .optional(forward?.item), .optional(signature),
        ]
    }
}
