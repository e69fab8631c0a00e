import ValiseDatabase

/// A user profile of one side.
public struct ComparedUser: Sendable, Equatable, Codable {
    /// Its row.
    public let userID: Int64
    /// The row of the agent database that belongs to it; nil where the table does not say.
    public let agentUserID: Int64?
    public let displayName: String
    /// When it was made, as the database has it.
    public let createdAt: String?

    /// More than anybody has.
    private static let mostUsers = 1000

    /// - Throws: ``DatabaseError``.
    static func all(_ connection: borrowing Connection) throws -> [ComparedUser] {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('users')").compactMap {
            $0[0].text
        }
        guard columns.contains("user_id"), columns.contains("local_display_name") else { return [] }
        func column(_ name: String) -> String { columns.contains(name) ? name : "NULL" }
        return try connection.rows(
            """
            SELECT user_id, \(column("agent_user_id")), substr(CAST(local_display_name AS TEXT), 1, 1000),
                substr(CAST(\(column("created_at")) AS TEXT), 1, 40)
            FROM users ORDER BY user_id LIMIT \(mostUsers)
            """
        ).map {
            ComparedUser(
                userID: $0[0].integer ?? 0, agentUserID: $0[1].integer, displayName: $0[2].text ?? "",
                createdAt: $0[3].text)
        }
    }

    /// Whether two rows may well be of one user, who may have another name by now.
    func isSame(as other: ComparedUser) -> Bool {
        guard userID == other.userID else { return false }
        if let createdAt, let time = other.createdAt { return createdAt == time }
        return displayName == other.displayName
    }
}
