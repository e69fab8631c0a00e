import ValiseDatabase

/// Writes what hangs on an item in other tables: versions, reactions, mentions, delivery to members.
final class ItemDetailsWriter {
    private let versions: RowInserter
    private let reactions: RowInserter
    private let mentions: RowInserter
    private let statuses: RowInserter
    private let moderations: RowInserter
    private let calls: RowInserter
    private var turn = 0
    private var hasCall = false

    init(_ chat: SampleDatabase) throws {
        let times = ["created_at", "updated_at"]
        versions = try RowInserter(
            chat, "chat_item_versions", ["chat_item_id", "msg_content", "item_version_ts"] + times)
        reactions = try RowInserter(
            chat, "chat_item_reactions",
            [
                "item_member_id", "shared_msg_id", "contact_id", "group_id", "group_member_id", "reaction",
                "reaction_sent", "reaction_ts",
            ] + times)
        mentions = try RowInserter(
            chat, "chat_item_mentions", ["chat_item_id", "group_id", "member_id", "display_name"])
        statuses = try RowInserter(
            chat, "group_snd_item_statuses",
            ["chat_item_id", "group_member_id", "group_snd_item_status", "via_proxy"] + times)
        moderations = try RowInserter(
            chat, "chat_item_moderations",
            ["group_id", "moderator_member_id", "item_member_id", "shared_msg_id", "moderated_at"] + times)
        calls = try RowInserter(
            chat, "calls",
            ["contact_id", "shared_call_id", "chat_item_id", "call_state", "call_ts", "user_id"] + times)
    }

    func add(
        _ trait: ItemTrait, _ item: ItemRow, _ content: SampleMessage, _ mentioned: [SampleMember],
        _ generator: inout SampleGenerator
    ) throws {
        turn += 1
        if trait == .edited { try addVersions(item, content) }
        if trait == .reactions { try addReactions(item) }
        for member in mentioned {
            try addMention(of: member, as: member.name, in: item)
        }
        if item.isSent, let group = item.chat.group, item.id < 2000 || item.id % 16 == 0 {
            try addStatuses(item, group)
        }
        if trait == .moderated, let group = item.chat.group, let moderator = item.extra.deletedBy {
            // A moderation that came before its message.
            try moderations.add([
                .number(group.id), .number(moderator), .blob(generator.bytes(12)),
                .blob(generator.bytes(12)), .time(item.time), .time(item.time), .time(item.time),
            ])
        }
        if let contact = item.chat.contact, item.isSent, !hasCall {
            hasCall = true
            try calls.add([
                .number(contact), .blob(generator.bytes(16)), .number(item.id),
                #"{"callState":"callInvitationSent"}"#, .time(item.time), .number(item.chat.user),
                .time(item.time), .time(item.time),
            ])
        }
    }

    /// The current version is among them (SimpleX's data model).
    private func addVersions(_ item: ItemRow, _ content: SampleMessage) throws {
        let previous = turn % 2 == 0 ? ["Frist version"] : ["Frist", "First vers"]
        try addVersions(item, previous + [content.text])
    }

    /// All versions of an item's text, the current one with them.
    func addVersions(_ item: ItemRow, _ texts: [String]) throws {
        for (index, text) in texts.enumerated() {
            let time = Value.time(item.time.adding(30 * index))
            try versions.add([
                .number(item.id), .text(SampleMessage.plain(text).json.line), time, time, time,
            ])
        }
    }

    private func addReactions(_ item: ItemRow) throws {
        let emojis = ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]
        let group = item.chat.group
        // In a group the author's identifier tells apart messages that share one.
        let author = item.isSent ? group?.own : item.member
        // The first reaction is the user's own, the others are the contact's or those of members.
        let others: [SampleMember?] = group.map { Array($0.authors.prefix(3)) } ?? [nil]
        for (index, member) in ([nil] + others).enumerated() {
            let emoji = OrderedJSON.text(emojis[(turn + index) % emojis.count])
            let reaction: OrderedJSON = .object([("type", "emoji"), ("emoji", emoji)])
            try add(
                reaction, to: item, of: group == nil ? nil : author?.memberID, by: member, isOwn: index == 0,
                after: 10 + index)
        }
    }

    /// - Parameters:
    ///   - author: of the item, by the identifier on the wire; nil in direct chats and for a channel's posts.
    ///   - member: who reacted; nil for the user, a contact, and whoever has no row any more.
    ///   - seconds: after the item.
    func add(
        _ reaction: OrderedJSON, to item: ItemRow, of author: [UInt8]?, by member: SampleMember?, isOwn: Bool,
        after seconds: Int
    ) throws {
        let time = Value.time(item.time.adding(seconds))
        try reactions.add([
            .optional(author), .blob(item.sharedID), .optional(item.chat.contact),
            .optional(item.chat.group?.id), .optional(member?.id), .text(reaction.line), .flag(isOwn), time,
            time, time,
        ])
    }

    /// - Parameter name: as it stands in the text.
    func addMention(of member: SampleMember, as name: String, in item: ItemRow) throws {
        try mentions.add([.number(item.id), .number(member.group), .blob(member.memberID), .text(name)])
    }

    private func addStatuses(_ item: ItemRow, _ group: SampleGroup) throws {
        let all = [
            "snd_rcvd ok complete", "snd_sent complete", "snd_forwarded", "snd_inactive", "snd_error_auth",
        ]
        for (index, member) in group.authors.enumerated() {
            try add(
                status: all[(turn + index) % all.count], of: member, to: item, isThroughProxy: index == 1)
        }
    }

    /// Whether an item of the user's reached one member.
    func add(status: String, of member: SampleMember, to item: ItemRow, isThroughProxy: Bool) throws {
        try statuses.add([
            .number(item.id), .number(member.id), .text(status), isThroughProxy ? 1 : .null,
            .time(item.time), .time(item.time),
        ])
    }
}
