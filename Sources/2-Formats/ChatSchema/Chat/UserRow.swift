import SystemPackage
package import ValiseDatabase

/// A profile of the account's user: a row of the table `users`.
package struct UserRow: DecodableRow {
    package let id: Int64
    /// The unique name on this device, cut behind a thousand characters.
    package let name: String
    /// Whether it is the one in use. All versions of the apps' schema say so, but names are readable without.
    package let isActive: Stored<Bool>
    /// The row of the agent database that belongs to it.
    package let agentUserID: Stored<Int64>
    /// Whether it has a passphrase of its own, without which the app does not show it.
    package let isHidden: Stored<Bool>
    /// As it is stored.
    package let createdAt: Stored<String>

    private static let longestName = 1000
    private static let longestTime = 40

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("user_id")
        name = try row.required("local_display_name", longest: Self.longestName)
        isActive = try row.stored("active_user")
        agentUserID = try row.stored("agent_user_id")
        isHidden = try row.isSet("view_pwd_hash")
        createdAt = try row.stored("created_at", longest: Self.longestTime)
    }
}

extension ChatSchema {
    /// Whether the table of users has their names.
    package var namesUsers: Bool { tables.has(.users, with: "local_display_name") }

    /// Whether the table of users has all that no ``UserRow`` is read without.
    package var listsUsers: Bool { namesUsers && tables.has(.users, with: "user_id") }

    /// More users than anybody has.
    package static let mostUsers = 1000

    /// The users in the order of their rows, at most ``mostUsers``.
    /// - Throws: `DatabaseError`.
    package func users(_ connection: borrowing Connection) throws(DatabaseError) -> RowCursor<UserRow> {
        let query = try RowQuery<UserRow>(
            [tables.source(.users, as: "u")], "FROM users u", file: connection.path.string)
        return try query.rows(connection, "ORDER BY u.user_id LIMIT \(Self.mostUsers)")
    }

    /// Whether nobody has a profile yet.
    /// - Throws: `DatabaseError` where there is no such table.
    package func hasNoUsers(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
        try !connection.hasRow("SELECT 1 FROM users LIMIT 1")
    }
}
