import SystemPackage
public import ValiseDatabase

/// The row of a table that was made last: that with the largest id, as the time itself has no index.
public struct NewestRow: Sendable {
    public let id: Int64
    /// When it was made, as it is stored.
    public let createdAt: String
}

extension ChatSchema {
    /// The newest rows of the tables that grow by use, always in the same order; nil for a table without rows.
    /// - Throws: ``DatabaseError``: `unsupported` where a table is missing; `damaged`.
    public func newestRows(_ connection: borrowing Connection) throws(DatabaseError) -> [NewestRow?] {
        [
            try newest(ItemMark.self, .chatItems, "chat_item_id", connection)?.row,
            try newest(MessageMark.self, .messages, "message_id", connection)?.row,
            try newest(ContactMark.self, .contacts, "contact_id", connection)?.row,
            try newest(GroupMark.self, .groups, "group_id", connection)?.row,
        ]
    }

    private func newest<Mark: DecodableRow>(
        _ mark: Mark.Type, _ table: ChatTable, _ key: String, _ connection: borrowing Connection
    ) throws(DatabaseError) -> Mark? {
        let query = try RowQuery<Mark>(
            [tables.source(table, as: "t")], "FROM \(table.rawValue) t", file: connection.path.string)
        return try query.first(connection, "ORDER BY t.\(key) DESC LIMIT 1")
    }
}

private struct ItemMark: DecodableRow {
    let row: NewestRow

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = NewestRow(id: try row.required("chat_item_id"), createdAt: try row.required("created_at"))
    }
}

private struct MessageMark: DecodableRow {
    let row: NewestRow

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = NewestRow(id: try row.required("message_id"), createdAt: try row.required("created_at"))
    }
}

private struct ContactMark: DecodableRow {
    let row: NewestRow

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = NewestRow(id: try row.required("contact_id"), createdAt: try row.required("created_at"))
    }
}

private struct GroupMark: DecodableRow {
    let row: NewestRow

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = NewestRow(id: try row.required("group_id"), createdAt: try row.required("created_at"))
    }
}
