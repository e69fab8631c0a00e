package import ValiseDatabase

/// What a chat database that was saved in parts still says of what is missing. Nothing here is an error: what cannot be read
/// is not known.
package struct SalvagedNames {
    /// The column by which a message belongs to a chat.
    package enum ChatColumn: String, Sendable, CaseIterable {
        case contact = "contact_id"
        case group = "group_id"
        case notes = "note_folder_id"
    }

    package init() {}

    /// The name of a chat on this device; nil where it is lost, and for notes, which have none.
    package func name(
        of chat: Int64, in column: ChatColumn, _ connection: borrowing Connection
    ) -> String? {
        switch column {
        case .contact:
            text("SELECT local_display_name FROM contacts WHERE contact_id = ?", chat, connection)
        case .group: text("SELECT local_display_name FROM groups WHERE group_id = ?", chat, connection)
        case .notes: nil
        }
    }

    /// When the last message up to an id was sent or received.
    package func time(upTo id: Int64, _ connection: borrowing Connection) -> String? {
        text(
            "SELECT item_ts FROM chat_items WHERE chat_item_id <= ? ORDER BY chat_item_id DESC LIMIT 1", id,
            connection)
    }

    /// When the first message above an id was sent or received.
    package func time(above id: Int64, _ connection: borrowing Connection) -> String? {
        text(
            "SELECT item_ts FROM chat_items WHERE chat_item_id > ? ORDER BY chat_item_id LIMIT 1", id,
            connection)
    }

    private func text(_ sql: String, _ id: Int64, _ connection: borrowing Connection) -> String? {
        (try? connection.value(sql, [.integer(id)]))?.text
    }
}
