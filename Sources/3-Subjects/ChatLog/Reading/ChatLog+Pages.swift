import ValiseChatSchema
package import ValiseDatabase

/// Shorter ways to what pages need: no row is looked at in further tables that is not shown.
extension ChatLog {
    package func forEachOutline(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ItemOutline) throws -> Void
    ) throws {
        guard let items, let scope = ConversationKey(conversation.key)?.scope,
            let rows = try items.rows(user: conversation.user, scope, connection)
        else { return }
        let builder = try ItemBuilder(conversation, scope, schema, connection, damaged: damaged)
        var ordinal: Int64 = 0
        try Self.forEach(rows, damaged) { row in
            try body(builder.outline(of: row, ordinal))
            ordinal += 1
        }
    }

    package func forEachItem(
        of conversation: Conversation, from place: ItemPosition, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        guard let items, let scope = ConversationKey(conversation.key)?.scope,
            let rows = try items.rows(
                user: conversation.user, scope, connection, from: place.time, row: place.row)
        else { return }
        let builder = try ItemBuilder(conversation, scope, schema, connection, damaged: damaged)
        try Self.forEach(rows, damaged) { try body(builder.item($0)) }
    }

    package func forEachMatch(
        in conversation: Conversation, where isWanted: (_ text: String, _ ordinal: Int64) throws -> Bool,
        damaged: (DatabaseError) throws -> Void,
        _ body: (_ item: ConversationItem, _ ordinal: Int64) throws -> Void
    ) throws {
        guard let items, let scope = ConversationKey(conversation.key)?.scope,
            let rows = try items.rows(user: conversation.user, scope, connection)
        else { return }
        let builder = try ItemBuilder(conversation, scope, schema, connection, damaged: damaged)
        var ordinal: Int64 = 0
        try Self.forEach(rows, damaged) { row in
            if try isWanted(row.text, ordinal) { try body(builder.item(row), ordinal) }
            ordinal += 1
        }
    }
}
