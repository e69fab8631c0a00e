import SystemPackage
package import ValiseDatabase

/// A row of the table `files` that has a path, and what its message says of it (SimpleX's data model, §7.2 and §7.8).
package struct FileRow: DecodableRow {
    package let id: Int64
    package let userID: Stored<Int64>
    package let contactID: Stored<Int64>
    package let groupID: Stored<Int64>
    package let noteFolderID: Stored<Int64>
    /// The message.
    package let itemID: Stored<Int64>
    /// The author of a received message of a group.
    package let memberID: Stored<Int64>
    /// Whether this user sent the message.
    package let isSent: Stored<Bool>
    /// The name that the sender's file had.
    package let name: Stored<String>
    /// As it is stored: below the files folder, or absolute.
    package let path: String
    /// Of the content, in bytes.
    package let size: Int64
    package let status: Stored<String>
    package let keys: Keys
    /// Of the message, as it is stored.
    package let itemTime: Stored<String>
    /// Of the row, as it is stored.
    package let createdAt: Stored<String>
    /// What kind of message it is.
    package let contentTag: Stored<String>

    /// What the row holds of keys.
    package enum Keys: Int64, Sendable {
        /// None: the file is not encrypted.
        case none
        /// Both.
        case complete
        /// One of the two, or a key of another length.
        case broken
    }

    private static let keyState = """
        CASE WHEN f.file_crypto_key IS NULL AND f.file_crypto_nonce IS NULL THEN 0
            WHEN length(CAST(f.file_crypto_key AS BLOB)) = 32
                AND length(CAST(f.file_crypto_nonce AS BLOB)) > 0 THEN 1 ELSE 2 END
        """

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("file_id")
        userID = try row.stored("user_id")
        contactID = try row.stored("contact_id")
        groupID = try row.stored("group_id")
        noteFolderID = try row.stored("note_folder_id")
        itemID = try row.stored("chat_item_id")
        memberID = try row.stored("group_member_id", of: "chat_items")
        isSent = try row.stored("item_sent", of: "chat_items")
        name = try row.stored("file_name")
        path = try row.required("file_path")
        size = try row.required("file_size")
        status = try row.stored("ci_file_status")
        let storesKeys = row.has("file_crypto_key") && row.has("file_crypto_nonce")
        let state: Int64 = try row.computed(storesKeys ? Self.keyState : "0", as: "file_crypto_key")
        keys = Keys(rawValue: state) ?? .broken
        itemTime = try row.stored("item_ts", of: "chat_items")
        createdAt = try row.stored("created_at")
        contentTag = try row.stored("msg_content_tag", of: "chat_items")
    }
}

/// The rows of the table `files` that have a path.
package struct FileTable: Sendable {
    private let query: RowQuery<FileRow>
    /// Whether keys can be stored: databases from before file encryption have no place for them.
    package let storesKeys: Bool

    /// - Returns: nil where the schema has no such table.
    /// - Throws: `DatabaseError`.
    package init?(_ schema: ChatSchema, _ connection: borrowing Connection) throws(DatabaseError) {
        let tables = schema.tables
        guard tables.has(.files, with: "file_path") else { return nil }
        let canJoin = tables.has(.chatItems, with: "chat_item_id") && tables.has(.files, with: "chat_item_id")
        let join = canJoin ? "LEFT JOIN chat_items i ON i.chat_item_id = f.chat_item_id" : ""
        let items = canJoin ? [tables.source(.chatItems, as: "i", outerKey: "chat_item_id")] : []
        query = try RowQuery(
            [tables.source(.files, as: "f")] + items, "FROM files f \(join) WHERE f.file_path IS NOT NULL",
            file: connection.path.string)
        storesKeys = tables.has(.files, with: "file_crypto_key", "file_crypto_nonce")
    }

    /// All rows, in the order of their ids.
    /// - Parameters:
    ///   - connection: to the chat database.
    ///   - ids: only rows of these; nil for all.
    /// - Throws: `DatabaseError`.
    package func rows(
        _ connection: borrowing Connection, ids: ClosedRange<Int64>? = nil
    ) throws(DatabaseError) -> RowCursor<FileRow> {
        // Without a range, so that rows of a damaged table are seen whose id is no number.
        guard let ids else { return try query.rows(connection, "ORDER BY f.file_id") }
        return try query.rows(
            connection, "AND f.file_id BETWEEN ? AND ? ORDER BY f.file_id",
            [.integer(ids.lowerBound), .integer(ids.upperBound)])
    }

    /// One row; nil where it is not there or has no path.
    /// - Throws: `DatabaseError`.
    package func row(
        _ fileID: Int64, _ connection: borrowing Connection
    ) throws(DatabaseError) -> FileRow? {
        try query.first(connection, "AND f.file_id = ?", [.integer(fileID)])
    }

    /// How many rows have a path.
    /// - Throws: `DatabaseError`.
    package func count(_ connection: borrowing Connection) throws(DatabaseError) -> Int64 {
        try connection.count("SELECT count(*) FROM files WHERE file_path IS NOT NULL")
    }
}
