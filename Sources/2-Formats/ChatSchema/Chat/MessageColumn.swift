/// The columns of the table `chat_items` by which a message is known again: whose it is, and since when.
package enum MessageColumn: String, CaseIterable, Sendable {
    case id = "chat_item_id"
    case contact = "contact_id"
    case group = "group_id"
    case notes = "note_folder_id"
    case isSent = "item_sent"
    /// When it was sent or received.
    case time = "item_ts"
    /// When its row was made.
    case createdAt = "created_at"

    /// The table that has them.
    package static let table = ChatTable.chatItems
}
