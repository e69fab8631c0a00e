import ValiseChatSchema
package import ValiseDatabase

/// Shorter ways to what pages need: no row is looked at in further tables that is not shown.
extension ChatLog {
    package func forEachOutline(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ItemOutline) throws -> Void
    ) throws {
        var ordinal: Int64 = 0
        try forEachRow(of: conversation, damaged: damaged) { row, builder in
            try body(builder.outline(of: row, ordinal))
            ordinal += 1
        }
    }

    package func forEachItem(
        of conversation: Conversation, from place: ItemPosition, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        try forEachRow(of: conversation, damaged: damaged) { items, scope in
            try items.rows(user: conversation.user, scope, connection, from: place.time, row: place.row)
        } _: { row, builder in
            try body(builder.item(row))
        }
    }

    package func forEachMatch(
        in conversation: Conversation, where isWanted: (_ text: String, _ ordinal: Int64) throws -> Bool,
        damaged: (DatabaseError) throws -> Void,
        _ body: (_ item: ConversationItem, _ ordinal: Int64) throws -> Void
    ) throws {
        var ordinal: Int64 = 0
        try forEachRow(of: conversation, damaged: damaged) { row, builder in
            if try isWanted(row.text, ordinal) { try body(builder.item(row), ordinal) }
            ordinal += 1
        }
    }
}
