package import ValiseDatabase

/// What a chat database that was saved in parts still says of what is missing. Where a table or a column is lost, that is not
/// known.
package struct SalvagedNames {
    /// The column by which a message belongs to a chat.
    package enum ChatColumn: String, Sendable, CaseIterable {
        case contact = "contact_id"
        case group = "group_id"
        case notes = "note_folder_id"
    }

    package init() {}

    /// The name of a chat on this device; nil where it is lost, and for notes, which have none.
    /// - Throws: `DatabaseError`.
    package func name(
        of chat: Int64, in column: ChatColumn, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        switch column {
        case .contact:
            try text(
                "SELECT local_display_name FROM contacts WHERE contact_id = ?", chat, connection,
                needs: ["local_display_name", "contact_id"], of: "contacts")
        case .group:
            try text(
                "SELECT local_display_name FROM groups WHERE group_id = ?", chat, connection,
                needs: ["local_display_name", "group_id"], of: "groups")
        case .notes: nil
        }
    }

    /// When the last message up to an id was sent or received.
    /// - Throws: `DatabaseError`.
    package func time(
        upTo id: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        try text(
            "SELECT item_ts FROM chat_items WHERE chat_item_id <= ? ORDER BY chat_item_id DESC LIMIT 1", id,
            connection, needs: ["item_ts", "chat_item_id"], of: "chat_items")
    }

    /// When the first message above an id was sent or received.
    /// - Throws: `DatabaseError`.
    package func time(
        above id: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> String? {
        try text(
            "SELECT item_ts FROM chat_items WHERE chat_item_id > ? ORDER BY chat_item_id LIMIT 1", id,
            connection, needs: ["item_ts", "chat_item_id"], of: "chat_items")
    }

    private func text(
        _ sql: String, _ id: Int64, _ connection: borrowing Connection, needs columns: [String],
        of table: String
    ) throws(DatabaseError) -> String? {
        let known = Set(try connection.columnNames(of: table))
        guard known.isSuperset(of: columns) else { return nil }
        return try connection.value(sql, [.integer(id)])?.text
    }
}
