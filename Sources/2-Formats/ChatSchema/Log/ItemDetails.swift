import SystemPackage
package import ValiseDatabase

/// A version of an edited item.
package struct ItemVersionRow: DecodableRow {
    package let id: Int64
    /// A message's content, as JSON.
    package let content: String
    package let time: String

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("chat_item_version_id")
        content = try row.required("msg_content")
        time = try row.required("item_version_ts")
    }
}

/// A reaction to an item.
package struct ItemReactionRow: DecodableRow {
    package let id: Int64
    /// As JSON.
    package let reaction: String
    /// Whether it is this user's.
    package let isSent: Stored<Bool>
    /// The member whose it is; NULL in contacts' conversations, and where the member's row is gone.
    package let memberID: Stored<Int64>

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("chat_item_reaction_id")
        reaction = try row.required("reaction")
        isSent = try row.stored("reaction_sent")
        memberID = try row.stored("group_member_id")
    }
}

/// A member who is mentioned in an item.
package struct ItemMentionRow: DecodableRow {
    package let itemID: Int64
    package let memberID: [UInt8]
    /// The name as it stands in the text.
    package let name: String

    package init(_ row: inout RowReader) throws(DatabaseError) {
        itemID = try row.required("chat_item_id")
        memberID = try row.required("member_id")
        name = try row.required("display_name")
    }
}

/// What became of an item on its way to a member.
package struct MemberItemStatusRow: DecodableRow {
    package let id: Int64
    package let memberID: Int64
    package let status: String

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("group_snd_item_status_id")
        memberID = try row.required("group_member_id")
        status = try row.required("group_snd_item_status")
    }
}

/// What further tables say of the items of a conversation. Statements are prepared once.
package final class ItemDetails {
    private let versions: PreparedQuery<ItemVersionRow>?
    private let mentions: PreparedQuery<ItemMentionRow>?
    private let statuses: PreparedQuery<MemberItemStatusRow>?
    /// Nil where the conversation has none.
    private let reactions: PreparedQuery<ItemReactionRow>?
    private let chat: Value
    private let isOfContact: Bool

    /// - Throws: `DatabaseError`.
    package init(
        _ schema: ChatSchema, _ scope: ItemScope, _ connection: borrowing Connection
    ) throws(DatabaseError) {
        let tables = schema.tables
        let file = connection.path.string
        versions =
            tables[.itemVersions] == nil
            ? nil
            : try RowQuery([tables.source(.itemVersions, as: "v")], "FROM chat_item_versions v", file: file)
                .prepared(connection, "WHERE v.chat_item_id = ? ORDER BY v.chat_item_version_id")
        mentions =
            tables[.itemMentions] == nil
            ? nil
            : try RowQuery([tables.source(.itemMentions, as: "m")], "FROM chat_item_mentions m", file: file)
                .prepared(connection, "WHERE m.chat_item_id = ?")
        statuses =
            tables[.memberItemStatuses] == nil
            ? nil
            : try RowQuery(
                [tables.source(.memberItemStatuses, as: "s")], "FROM group_snd_item_statuses s", file: file
            ).prepared(connection, "WHERE s.chat_item_id = ? ORDER BY s.group_snd_item_status_id")
        let column: String
        switch scope {
        case .contact(let id): (column, chat, isOfContact) = ("contact_id", .integer(id), true)
        case .group(let id), .support(let id, _):
            (column, chat, isOfContact) = ("group_id", .integer(id), false)
        case .notes: (column, chat, isOfContact) = ("", .null, false)
        }
        guard tables.has(.itemReactions, with: column, "shared_msg_id") else {
            reactions = nil
            return
        }
        let query = try RowQuery<ItemReactionRow>(
            [tables.source(.itemReactions, as: "r")], "FROM chat_item_reactions r WHERE r.\(column) = ?",
            file: file)
        let hasAny = try query.first(connection, "LIMIT 1", [chat]) != nil
        let author = isOfContact ? "" : "AND r.item_member_id IS ?"
        reactions =
            hasAny
            ? try query.prepared(
                connection, "AND r.shared_msg_id = ? \(author) ORDER BY r.chat_item_reaction_id") : nil
    }

    /// The versions of an item, the first one first.
    /// - Throws: `DatabaseError`.
    package func versions(of item: Int64) throws(DatabaseError) -> [ItemVersionRow] {
        try versions?.all([.integer(item)]) ?? []
    }

    /// Who is mentioned in an item.
    /// - Throws: `DatabaseError`.
    package func mentions(in item: Int64) throws(DatabaseError) -> [ItemMentionRow] {
        try mentions?.all([.integer(item)]) ?? []
    }

    /// What became of an item on its way to the members of its group.
    /// - Throws: `DatabaseError`.
    package func memberStatuses(of item: Int64) throws(DatabaseError) -> [MemberItemStatusRow] {
        try statuses?.all([.integer(item)]) ?? []
    }

    /// The reactions to an item.
    /// - Parameters:
    ///   - sharedID: of the item.
    ///   - author: the author's ID in a group; nil for none, as for what was sent in the name of the group.
    /// - Throws: `DatabaseError`.
    package func reactions(
        to sharedID: [UInt8], by author: [UInt8]?
    ) throws(DatabaseError) -> [ItemReactionRow] {
        guard let reactions else { return [] }
        var values = [chat, .blob(sharedID)]
        if !isOfContact { values.append(author.map { .blob($0) } ?? .null) }
        return try reactions.all(values)
    }
}
