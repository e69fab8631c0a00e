import Database
import PageCipher

/// Whether the two databases speak of the same users and connections.
public struct DatabaseAgreement: Sendable, Equatable, Codable {
    /// Users of the chat database that the agent database does not have.
    public let usersWithoutAgent: Int64
    /// Connections of the chat database that the agent database does not have. The official programs leave some
    /// behind when they delete, so that a few are no damage.
    public let connectionsWithoutAgent: Int64

    /// Whether they belong together.
    public var isGood: Bool { usersWithoutAgent == 0 }

    /// - Returns: nil where the tables are not those of an account, or SQLite cannot read both at once.
    init?(_ chat: CheckedDatabase, _ agent: CheckedDatabase) throws {
        // An attached database has the settings of the first.
        guard chat.encrypted?.settings == agent.encrypted?.settings else { return nil }
        let connection = try chat.connect()
        try connection.attachForReading(agent.source, as: "agent", passphrase: try agent.rawKey())
        let tables = try connection.value(
            """
            SELECT (SELECT count(*) FROM main.sqlite_master WHERE name IN ('users', 'connections'))
                + (SELECT count(*) FROM agent.sqlite_master WHERE name IN ('users', 'connections'))
            """)
        guard tables == 4 else { return nil }
        usersWithoutAgent =
            try connection.value(
                """
                SELECT count(*) FROM main.users
                WHERE agent_user_id NOT IN (SELECT user_id FROM agent.users)
                """)?.integer ?? 0
        connectionsWithoutAgent =
            try connection.value(
                """
                SELECT count(*) FROM main.connections AS c
                WHERE c.conn_status <> 'deleted'
                    AND NOT EXISTS (SELECT 1 FROM agent.connections AS a WHERE a.conn_id = c.agent_conn_id)
                """)?.integer ?? 0
    }
}
