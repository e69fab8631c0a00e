import SystemPackage
package import ValiseDatabase

/// The row of a table that was made last: that with the largest id, as the time itself has no index.
package struct NewestRow: Sendable {
    package let id: Int64
    /// When it was made, as it is stored.
    package let createdAt: String
}

extension ChatSchema {
    /// The newest rows of the tables that grow by use, always in the same order; nil for a table without rows.
    /// - Throws: `DatabaseError`: `unsupported` where a table is missing; `damaged`.
    package func newestRows(_ connection: borrowing Connection) throws(DatabaseError) -> [NewestRow?] {
        [
            try newest(ItemKey.self, connection), try newest(MessageKey.self, connection),
            try newest(ContactKey.self, connection), try newest(GroupKey.self, connection),
        ]
    }

    private func newest<Key: TableKey>(
        _ key: Key.Type, _ connection: borrowing Connection
    ) throws(DatabaseError) -> NewestRow? {
        let query = try RowQuery<Mark<Key>>(
            [tables.source(Key.table, as: "t")], "FROM \(Key.table.rawValue) t", file: connection.path.string)
        return try query.first(connection, "ORDER BY t.\(Key.column) DESC LIMIT 1")?.row
    }
}

/// A row of any of these tables, read by the name of its key.
private struct Mark<Key: TableKey>: DecodableRow {
    let row: NewestRow

    init(_ row: inout RowReader) throws(DatabaseError) {
        self.row = NewestRow(id: try row.required(Key.column), createdAt: try row.required("created_at"))
    }
}

/// A table, and the column that its rows are numbered by.
private protocol TableKey: Sendable {
    static var table: ChatTable { get }
    static var column: String { get }
}

private enum ItemKey: TableKey {
    static let (table, column) = (ChatTable.chatItems, "chat_item_id")
}

private enum MessageKey: TableKey {
    static let (table, column) = (ChatTable.messages, "message_id")
}

private enum ContactKey: TableKey {
    static let (table, column) = (ChatTable.contacts, "contact_id")
}

private enum GroupKey: TableKey {
    static let (table, column) = (ChatTable.groups, "group_id")
}
