import ValiseChatSchema
import ValiseDatabase

/// A user profile of one side.
package struct ComparedUser: Sendable, Equatable, Codable {
    /// Its row.
    package let userID: Int64
    /// The row of the agent database that belongs to it; nil where the table does not say.
    package let agentUserID: Int64?
    package let displayName: String
    /// When it was made, as the database has it.
    package let createdAt: String?

    private enum CodingKeys: String, CodingKey {
        case userID = "userId"
        case agentUserID = "agentUserId"
        case displayName, createdAt
    }

    /// Those of a database; none where it has no such table.
    /// - Throws: ``DatabaseError``.
    static func all(_ connection: borrowing Connection) throws -> [ComparedUser] {
        let schema = try ChatSchema(connection)
        guard schema.listsUsers else { return [] }
        var rows = try schema.users(connection)
        var users: [ComparedUser] = []
        while let row = try rows.nextResult() {
            // A damaged row is counted where the tables are compared.
            guard case .success(let user) = row else { continue }
            users.append(
                ComparedUser(
                    userID: user.id, agentUserID: user.agentUserID.value, displayName: user.name,
                    createdAt: user.createdAt.value))
        }
        return users
    }

    /// Whether two rows may well be of one user, who may have another name by now.
    func isSame(as other: ComparedUser) -> Bool {
        guard userID == other.userID else { return false }
        if let createdAt, let time = other.createdAt { return createdAt == time }
        return displayName == other.displayName
    }
}
